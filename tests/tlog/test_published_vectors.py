"""The log against what others have published: RFC 6962 and its reference set, and the examples of the C2SP pages."""

from __future__ import annotations

from base64 import b64decode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from reference import merkle_tree

from punto.tlog.checkpoint import LogCheckpoint, cosign, cosigned_at
from punto.tlog.note import COSIGNATURE, BadNote, Note, Verifier, sign_note
from punto.tlog.proof_text import proof_text, read_proof
from punto.tlog.proofs import consistency_proof, inclusion_proof, is_consistent, is_included
from punto.tlog.tiles import BadTile, Tile, TileWriter, partial_tiles, subtree_reader
from punto.tlog.tree import Edge, leaf_hash, node_hash

ENTRIES = [
    bytes.fromhex(each)
    for each in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"
    )
]  # fmt: skip
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
PATHS = {
    0: ("96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"),
    5: ("bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"),
}  # fmt: skip
"""The reference set of Certificate Transparency: by leaf its path in the tree of eight."""
VKEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
NOTE = """This is an example message.

\N{EM DASH} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""
GO_SKEY = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = """If you think cryptography is the answer to your problem,
then you don't know what your problem is.

\N{EM DASH} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
"""
"""The example of Go's note package, with the private key that signs it."""
COSIGNED_SOFA = """example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

\N{EM DASH} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
\N{EM DASH} witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
"""  # noqa: E501
"""The example of tlog-cosignature; its keys are not published."""
SOFA = """example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
"""


def subtrees(size: int, entries: list[bytes]):  # type: ignore[no-untyped-def]
    tiles = TileWriter().append([leaf_hash(each) for each in entries[:size]])
    return subtree_reader(size, lambda tile: tiles[tile])


def test_the_published_roots_and_paths() -> None:
    assert leaf_hash(b"L123456").hex() == "395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56"
    assert node_hash(b"N123", b"N456").hex() == "aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb"
    edge = Edge()
    for size, root in enumerate(ROOTS):
        assert edge.root.hex() == root
        edge.append([leaf_hash(each) for each in ENTRIES[size : size + 1]])
    for leaf, path in PATHS.items():
        assert [each.hex() for each in inclusion_proof(subtrees(8, ENTRIES), leaf, 8)] == list(path)


def test_every_proof_of_small_trees_is_the_one_of_the_definition() -> None:
    for size in range(1, 20):
        entries = [bytes([each]) for each in range(size)]
        reader, root = subtrees(size, entries), merkle_tree.root(entries)
        for leaf in range(size):
            proof = inclusion_proof(reader, leaf, size)
            assert proof == merkle_tree.path(leaf, entries)
            assert is_included(leaf_hash(entries[leaf]), leaf, size, proof, root)
            assert not is_included(leaf_hash(b"other"), leaf, size, proof, root)
            assert not is_included(leaf_hash(entries[leaf]), leaf, size, [*proof, bytes(32)], root)
        for old in range(1, size):
            proof = consistency_proof(reader, old, size)
            assert proof == merkle_tree.proof(old, entries)
            old_root = merkle_tree.root(entries[:old])
            assert is_consistent(old, size, old_root, root, proof)
            assert not is_consistent(old, size, bytes(32), root, proof)
            assert not is_consistent(old, size, old_root, bytes(32), proof)


def test_a_tree_over_several_levels_of_tiles_grows_as_it_would_at_once() -> None:
    leaves = [leaf_hash(each.to_bytes(4, "big")) for each in range(66_000)]
    written, edge = dict[Tile, bytes](), Edge()
    tiles, at = TileWriter(), 0
    for step in (1, 254, 1, 1, 300, 64_000, 979, 464):
        written |= tiles.append(leaves[at : at + step])
        edge.append(leaves[at : at + step])
        at += step
    whole = Edge()
    whole.append(leaves)
    assert (at, edge.root) == (66_000, whole.root)
    assert Edge(at, edge.subtrees).root == whole.root
    reader = subtree_reader(at, lambda tile: written[tile])
    assert is_included(leaves[65_900], 65_900, at, inclusion_proof(reader, 65_900, at), whole.root)
    assert tiles.size == at
    assert [each.level for each in partial_tiles(at)] == [0, 1, 2]
    with pytest.raises(BadTile):
        subtree_reader(at, lambda _: b"")(0, 5)


def test_paths_and_partial_tiles_are_those_of_the_specification() -> None:
    assert Tile(0, 1_234_067).path == "tile/0/x001/x234/067"
    assert Tile(1, 7, 17).path == "tile/1/007.p/17"
    assert partial_tiles(70_000) == [Tile(0, 273, 112), Tile(1, 1, 17), Tile(2, 0, 1)]
    assert partial_tiles(256) == [Tile(1, 0, 1)]


def test_the_published_note_and_its_key() -> None:
    key = Verifier.read(VKEY)
    note = Note.read(NOTE)
    assert note.is_signed_by(key)
    assert (str(note), key.text) == (NOTE, VKEY)
    with pytest.raises(BadNote):
        Note.read(NOTE.replace("example message", "examp1e message")).is_signed_by(key)
    assert not note.is_signed_by(Verifier("example.com/foo", bytes(31) + b"\1"))
    for wrong in ("", "text", "text\n\n", NOTE[:-1], NOTE.replace("Uw2Q", "Uw2Q*"), NOTE + "\0"):
        with pytest.raises(BadNote):
            Note.read(wrong)


def test_the_note_of_go_is_signed_byte_for_byte() -> None:
    key, seed = Verifier.read(GO_VKEY), b64decode(GO_SKEY.split("+", 4)[4])[1:]
    signing = Ed25519PrivateKey.from_private_bytes(seed)
    assert Verifier("PeterNeumann", signing.public_key().public_bytes_raw()).text == GO_VKEY
    assert str(sign_note(Note.read(GO_NOTE).text, [(key, signing.sign)])) == GO_NOTE
    assert Note.read(GO_NOTE).is_signed_by(key)


def test_the_published_cosignature_is_read_as_the_specification_says() -> None:
    note = Note.read(COSIGNED_SOFA)
    assert (str(note), LogCheckpoint.read(note.text).size) == (COSIGNED_SOFA, 20_852_163)
    log, witness = note.signatures
    assert (log.name, len(log.signature)) == ("example.com/behind-the-sofa", 64)
    assert (witness.name, witness.key_id.hex()) == ("witness.example.com/w1", "8d66cf3f")
    assert (int.from_bytes(witness.signature[:8], "big"), len(witness.signature)) == (1_679_315_147, 8 + 64)


def test_lines_that_are_not_checked_are_signed_and_kept() -> None:
    """Extension lines of a checkpoint, and the extra line of a proof."""
    extended = SOFA + "an extension line\n"
    assert LogCheckpoint.read(extended).size == 20_852_163
    signing = Ed25519PrivateKey.from_private_bytes(bytes(32))
    witness = Verifier("w", signing.public_key().public_bytes_raw(), COSIGNATURE)
    note = sign_note(extended, []).with_signatures([cosign(witness, signing.sign, extended, 7)])
    assert cosigned_at(note, witness) == 7
    with pytest.raises(BadNote):
        cosigned_at(Note(SOFA, note.signatures), witness)
    late = sign_note(SOFA, []).with_signatures([cosign(witness, signing.sign, SOFA, 2**63)])
    with pytest.raises(BadNote):
        cosigned_at(late, witness)
    proof = proof_text(9, [bytes(32)], note)
    assert read_proof(proof.replace("index", "extra QUJD\nindex", 1)) == read_proof(proof)
    for wrong in (proof.replace("index", "extra ?\nindex", 1), proof.replace("index 9", "extra QUJD", 1)):
        with pytest.raises(BadNote):
            read_proof(wrong)


def test_a_line_ends_where_the_specification_says() -> None:
    """Not where Unicode has other separators: these may stand in no key name."""
    for separator in "\x85\u2028\u2029":
        with pytest.raises(BadNote):
            Note.read(NOTE + NOTE.splitlines()[-1].replace("foo ", f"foo{separator}") + "\n")


def test_a_checkpoint_is_read_and_cosigned() -> None:
    checkpoint = LogCheckpoint.read(SOFA)
    assert (checkpoint.size, checkpoint.text) == (20_852_163, SOFA)
    signing = Ed25519PrivateKey.from_private_bytes(bytes(32))
    witness = Verifier("witness.example.com/w1", signing.public_key().public_bytes_raw(), COSIGNATURE)
    note = sign_note(SOFA, []).with_signatures([cosign(witness, signing.sign, SOFA, 1_679_315_147)])
    assert cosigned_at(Note.read(str(note)), witness) == 1_679_315_147
    other = Note(SOFA.replace("163", "164"), note.signatures)
    with pytest.raises(BadNote):
        cosigned_at(other, witness)
    for wrong in (SOFA.replace("208", "0208"), SOFA[:-5] + "\n", "o\n1\n", SOFA.replace("20852163", "-1")):
        with pytest.raises(BadNote):
            LogCheckpoint.read(wrong)
