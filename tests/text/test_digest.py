from memlite.text.digest import digest


def test_digest_depends_on_every_part_and_every_boundary():
    digests = {digest(), digest(""), digest("", ""), digest("ab"), digest("a", "b"), digest("b", "a"), digest("\ud800")}
    assert len(digests) == 7
    assert digest("a", "b") == digest("a", "b")
