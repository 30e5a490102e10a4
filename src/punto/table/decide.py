"""``decide``: what a command brings about in a state, or why it is refused. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from punto.table import betting, commands, dealing, handling, opening, own_limits, settling, voiding, windows
from punto.table.commands import Command
from punto.table.guards import Decision, well_formed
from punto.table.irregularities import cards_taken, correction, delivery, drawing, failures, reset, withdrawal
from punto.table.refusals import Refusal
from punto.table.stamping import stamped
from punto.table.state import Table

_DECISIONS: dict[type[Command], Callable[[Table, Any], Decision]] = {
    commands.OpenTable: opening.open_table,
    commands.CloseTable: opening.close_table,
    commands.Fill: opening.fill,
    commands.Credit: opening.credit,
    commands.BuyIn: opening.buy_in,
    commands.CashOut: opening.cash_out,
    commands.LimitLoss: own_limits.limit_loss,
    commands.ChangeLimits: opening.change_limits,
    commands.ChangeMethod: opening.change_method,
    commands.RestrictArea: opening.restrict_area,
    commands.AppointActing: opening.appoint_acting,
    commands.EndActing: opening.end_acting,
    commands.LoadShoe: opening.load_shoe,
    commands.EndShoe: opening.end_shoe,
    commands.OpenBets: betting.open_bets,
    commands.PlaceWager: betting.place_wager,
    commands.TakeBackWager: betting.take_back_wager,
    commands.CloseBets: betting.close_bets,
    commands.WindowElapsed: windows.window_elapsed,
    commands.RecordWager: betting.record_wager,
    commands.RefuseLateWager: betting.refuse_late_wager,
    commands.NoteLateWithdrawal: betting.note_late_withdrawal,
    commands.RemoveWager: betting.remove_wager,
    commands.DrawCard: dealing.draw_card,
    commands.ShowCuttingCard: dealing.show_cutting_card,
    commands.ChooseFirstHand: handling.choose_first_hand,
    commands.PassHand: handling.pass_hand,
    commands.DeclineHand: handling.decline_hand,
    commands.LookAtCards: handling.look_at_cards,
    commands.PermitDrawing: handling.permit_drawing,
    commands.GiveDevice: handling.give_device,
    commands.GiveUpDevice: handling.give_up_device,
    commands.TakeBackDevice: handling.take_back_device,
    commands.ExposeCard: dealing.expose_card,
    commands.AnnounceOutcome: dealing.announce_outcome,
    commands.SettleRound: settling.settle_round,
    commands.ReportVoid: voiding.report_void,
    commands.ConfirmVoid: voiding.confirm_void,
    commands.DismissVoid: voiding.dismiss_void,
    commands.Attest: delivery.attest,
    commands.PermitSqueeze: delivery.permit_squeeze,
    commands.OfferWithdrawal: withdrawal.offer_withdrawal,
    commands.AnswerWithdrawal: withdrawal.answer_withdrawal,
    commands.EndWithdrawal: withdrawal.end_withdrawal,
    commands.ReportPowerFailure: failures.report_power_failure,
    commands.Refer: failures.refer,
    commands.DecideReferral: failures.decide_referral,
    commands.ReportDrawnTogether: drawing.report_drawn_together,
    commands.FixOrder: drawing.fix_order,
    commands.ReportFaceUp: drawing.report_face_up,
    commands.ReportDeviceMoved: drawing.report_device_moved,
    commands.ReplaceCards: drawing.replace_cards,
    commands.ReportAbsent: delivery.report_absent,
    commands.ReportWrongPass: delivery.report_wrong_pass,
    commands.RetrieveHand: delivery.retrieve_hand,
    commands.ReportMisplaced: delivery.report_misplaced,
    commands.ReconstructCards: delivery.reconstruct_cards,
    commands.ExposeInError: delivery.expose_in_error,
    commands.ReportWrongNumber: delivery.report_wrong_number,
    commands.ReportCardsTaken: cards_taken.report_cards_taken,
    commands.AttestCardsTaken: cards_taken.attest_cards_taken,
    commands.DetermineMissing: cards_taken.determine_missing,
    commands.CorrectRound: correction.correct_round,
    commands.CorrectCard: correction.correct_card,
    commands.ReportReset: reset.report_reset,
    commands.DecideReset: reset.decide_reset,
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
