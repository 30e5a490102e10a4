"""Statements about the tokens of devices: rows that stand beside the events, never in them."""

from __future__ import annotations

TOKEN = """
    select device_token.device, device_token.made_at, device_token.expires_at, device_token.replaced_at
    from device_token join person on person.id = device_token.device and person.generation = device_token.generation
    where device_token.token = $1 and person.active
"""
"""A token of an active device, whether it is still valid or not."""
ADD = """
    insert into device_token (token, device, generation, made_at, expires_at)
    select $1, id, generation, $2, $3 from person where id = $4 and active
    on conflict (device) where replaced_at is null do nothing returning device
"""
"""Give an active device a token, unless it has one that was not replaced."""
REPLACE = """
    update device_token set replaced_at = $1, expires_at = case when expires_at < $2 then expires_at else $2 end
    where device = $3 and replaced_at is null
"""
"""Mark the newest token of a device as replaced; it is valid for a while."""
END = "delete from device_token where device = $1 returning token"
"""End all tokens of a device."""
FORGET = "delete from device_token where device = $1 and replaced_at < $2"
"""Forget tokens that were replaced long ago."""
NEWEST = "select device, made_at, expires_at from device_token where replaced_at is null"
"""The newest token of each device: when it was made, and how long it is valid."""
