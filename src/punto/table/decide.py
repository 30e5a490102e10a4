"""``decide``: what a command brings about in a state, or why it is refused. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from punto.table import commands
from punto.table.circumstances import stamped
from punto.table.commands import Command
from punto.table.guards import Decision, well_formed
from punto.table.irregularities import (
    cards_taken,
    correction,
    device_reset,
    drawn_together,
    misdealt_cards,
    referral,
    void,
    withdrawal,
)
from punto.table.play import card_handling, dealing, loss_limits, settlement, table_management, wagers, windows
from punto.table.refusal import Refusal
from punto.table.state import Table

_DECISIONS: dict[type[Command], Callable[[Table, Any], Decision]] = {
    commands.OpenTable: table_management.open_table,
    commands.CloseTable: table_management.close_table,
    commands.Fill: table_management.fill,
    commands.Credit: table_management.credit,
    commands.BuyIn: table_management.buy_in,
    commands.CashOut: table_management.cash_out,
    commands.LimitLoss: loss_limits.limit_loss,
    commands.ChangeLimits: table_management.change_limits,
    commands.ChangeMethod: table_management.change_method,
    commands.RestrictArea: table_management.restrict_area,
    commands.AppointActing: table_management.appoint_acting,
    commands.EndActing: table_management.end_acting,
    commands.LoadShoe: table_management.load_shoe,
    commands.EndShoe: table_management.end_shoe,
    commands.OpenBets: wagers.open_bets,
    commands.PlaceWager: wagers.place_wager,
    commands.TakeBackWager: wagers.take_back_wager,
    commands.CloseBets: wagers.close_bets,
    commands.WindowElapsed: windows.window_elapsed,
    commands.RecordWager: wagers.record_wager,
    commands.RefuseLateWager: wagers.refuse_late_wager,
    commands.NoteLateWithdrawal: wagers.note_late_withdrawal,
    commands.RemoveWager: wagers.remove_wager,
    commands.DrawCard: dealing.draw_card,
    commands.ShowCuttingCard: dealing.show_cutting_card,
    commands.ChooseFirstHand: card_handling.choose_first_hand,
    commands.PassHand: card_handling.pass_hand,
    commands.DeclineHand: card_handling.decline_hand,
    commands.LookAtCards: card_handling.look_at_cards,
    commands.PermitDrawing: card_handling.permit_drawing,
    commands.GiveDevice: card_handling.give_device,
    commands.GiveUpDevice: card_handling.give_up_device,
    commands.TakeBackDevice: card_handling.take_back_device,
    commands.ExposeCard: dealing.expose_card,
    commands.AnnounceOutcome: dealing.announce_outcome,
    commands.SettleRound: settlement.settle_round,
    commands.ReportVoid: void.report_void,
    commands.ConfirmVoid: void.confirm_void,
    commands.DismissVoid: void.dismiss_void,
    commands.Attest: misdealt_cards.attest,
    commands.PermitSqueeze: misdealt_cards.permit_squeeze,
    commands.OfferWithdrawal: withdrawal.offer_withdrawal,
    commands.AnswerWithdrawal: withdrawal.answer_withdrawal,
    commands.EndWithdrawal: withdrawal.end_withdrawal,
    commands.ReportPowerFailure: referral.report_power_failure,
    commands.Refer: referral.refer,
    commands.DecideReferral: referral.decide_referral,
    commands.ReportDrawnTogether: drawn_together.report_drawn_together,
    commands.FixOrder: drawn_together.fix_order,
    commands.ReportFaceUp: drawn_together.report_face_up,
    commands.ReportDeviceMoved: drawn_together.report_device_moved,
    commands.ReplaceCards: drawn_together.replace_cards,
    commands.ReportAbsent: misdealt_cards.report_absent,
    commands.ReportWrongPass: misdealt_cards.report_wrong_pass,
    commands.RetrieveHand: misdealt_cards.retrieve_hand,
    commands.ReportMisplaced: misdealt_cards.report_misplaced,
    commands.ReconstructCards: misdealt_cards.reconstruct_cards,
    commands.ExposeInError: misdealt_cards.expose_in_error,
    commands.ReportWrongNumber: misdealt_cards.report_wrong_number,
    commands.ReportCardsTaken: cards_taken.report_cards_taken,
    commands.AttestCardsTaken: cards_taken.attest_cards_taken,
    commands.DetermineMissing: cards_taken.determine_missing,
    commands.CorrectRound: correction.correct_round,
    commands.CorrectCard: correction.correct_card,
    commands.ReportReset: device_reset.report_reset,
    commands.DecideReset: device_reset.decide_reset,
}


def decide(table: Table, command: Command) -> Decision:
    """The events a command brings about, or a refusal.

    Guards come first, in this order: its numbers and words; the round and window it is meant for; then those of its
    own decision. After them it must succeed.
    """
    refusal = well_formed(command) or windows.meant_for_now(table, command)
    if refusal:
        return refusal
    decision = _DECISIONS[type(command)](table, command)
    return decision if isinstance(decision, Refusal) else stamped(table, command, decision)


COMMANDS: dict[str, type[Command]] = {kind.__name__: kind for kind in _DECISIONS}
"""Every command there is, by name."""
