import os
import shutil

import pytest

from arcwright.arrays import same
from arcwright.errors import BadFile
from arcwright.open import write
from arcwright.server.storage.folder import Folder
from arcwright.server.storage.names import sanitized
from arcwright.server.storage.transfers import Downloads, TooLarge, Uploads
from builders import arm_scene, full_scene
from coroutines import run

ESCAPES = [
    *("../secret.bvh", "walks/../../secret.bvh", "/etc/passwd", "//server/x.bvh", "..", ".", ""),
    *("..\\secret.bvh", "C:\\x.bvh", "walks\\..\\..\\secret.bvh", "./secret.bvh", "walks//a.bvh"),
    *(
        "a\0.bvh",
        "a\n.bvh",
        "\u202egpj.bvh",
        "link.bvh",
        "links/secret.bvh",
        "loop/a.bvh",
        "~/x.bvh",
    ),
    *(
        ".hidden.bvh",
        ".git/a.bvh",
        "walks/",
        "/",
        "%2e%2e/secret.bvh",
        "..%2fsecret.bvh",
        "fifo.bvh",
    ),
    *("x" * 5000 + ".bvh", "a/" * 2000 + "a.bvh", "\ud800.bvh", "secret.txt", "walks", "token"),
]


@pytest.fixture
def opened(tmp_path):
    """A folder with files in it, and a secret beside it."""
    root = tmp_path / "opened"
    (root / "walks").mkdir(parents=True)
    write(arm_scene(), root / "arm.arc.glb")
    write(arm_scene(), root / "walks" / "arm.bvh", take="wave")
    write(arm_scene(), tmp_path / "secret.bvh", take="wave")
    (root / "secret.txt").write_text("not for windows")
    (root / ".hidden.bvh").write_bytes((tmp_path / "secret.bvh").read_bytes())
    (root / "link.bvh").symlink_to(tmp_path / "secret.bvh")
    (root / "links").symlink_to(tmp_path)
    (root / "inner.bvh").symlink_to(root / "walks" / "arm.bvh")
    (root / "loop").symlink_to(root / "loop")
    if hasattr(os, "mkfifo"):
        os.mkfifo(root / "fifo.bvh")
    return Folder(root)


def everything(folder):
    return {
        path: (path.lstat().st_mtime_ns, path.lstat().st_size)
        for path in folder.root.parent.rglob("*")
    }


def test_what_can_be_opened_is_listed(opened):
    message = [(each.name, each.folder) for each in opened.entries()]
    assert message == [("walks", True), ("arm.arc.glb", False), ("inner.bvh", False)]
    assert [each.name for each in opened.entries("walks")] == ["arm.bvh"]
    assert opened.entries("walks")[0].size > 100


def test_files_of_the_folder_are_read(opened):
    assert same(opened.read("arm.arc.glb"), arm_scene())
    assert opened.read("walks/arm.bvh").characters
    assert opened.read("inner.bvh").characters


@pytest.mark.parametrize("name", ESCAPES)
def test_nothing_outside_can_be_read_listed_or_written(opened, name):
    before = everything(opened)
    with pytest.raises(BadFile) as refused:
        opened.read(name)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300
    with pytest.raises(BadFile):
        opened.write(arm_scene(), name, replace=True)
    if name not in ("", "walks"):
        with pytest.raises(BadFile):
            opened.entries(name)
    assert everything(opened) == before


@pytest.mark.parametrize(
    "name", ["CON.glb", "nul.bvh", "com1.arc.glb", "a:b.glb", "a?.glb", "x" * 240 + ".glb", "a.py"]
)
def test_names_that_not_every_system_can_have_are_not_made(opened, name):
    with pytest.raises(BadFile):
        opened.write(arm_scene(), name)


def test_a_file_that_was_read_can_be_saved_again_and_again(opened):
    opened.read("arm.arc.glb")
    opened.write(full_scene(), "arm.arc.glb")
    opened.write(arm_scene(), "arm.arc.glb")
    assert same(opened.read("arm.arc.glb"), arm_scene())


def test_a_file_that_changed_on_disk_is_not_overwritten(opened):
    opened.read("arm.arc.glb")
    write(full_scene(), opened.root / "arm.arc.glb")
    with pytest.raises(BadFile, match=r"changed on disk.*another name"):
        opened.write(arm_scene(), "arm.arc.glb")
    assert same(opened.read("arm.arc.glb"), full_scene())


def test_a_recovered_document_goes_to_its_file_unless_that_has_changed(opened):
    file = opened.root / "arm.arc.glb"
    opened.mark_seen(file, unless_after=file.stat().st_mtime - 1)
    with pytest.raises(BadFile, match="already exists"):
        opened.write(full_scene(), "arm.arc.glb")
    opened.mark_seen(file, unless_after=file.stat().st_mtime + 1)
    opened.write(full_scene(), "arm.arc.glb")


def test_a_file_never_read_is_only_overwritten_on_purpose(opened):
    with pytest.raises(BadFile, match="already exists"):
        opened.write(full_scene(), "arm.arc.glb")
    opened.write(full_scene(), "arm.arc.glb", replace=True)
    assert same(opened.read("arm.arc.glb"), full_scene())


def test_a_file_that_was_deleted_is_written_anew(opened):
    opened.read("arm.arc.glb")
    (opened.root / "arm.arc.glb").unlink()
    opened.write(arm_scene(), "arm.arc.glb")
    assert same(opened.read("arm.arc.glb"), arm_scene())


def test_the_bytes_beside_a_gltf_file_count_as_part_of_it(opened):
    (opened.root / "new.bin").write_bytes(b"somebody's")
    with pytest.raises(BadFile, match="already exists"):
        opened.write(arm_scene(), "new.gltf")
    assert (opened.root / "new.bin").read_bytes() == b"somebody's"


def test_the_suffix_decides_the_format(opened):
    opened.write(arm_scene(), "walks/new.glb")
    assert (opened.root / "walks" / "new.glb").read_bytes()[:4] == b"glTF"
    with pytest.raises(BadFile, match="folder that does not exist"):
        opened.write(arm_scene(), "nowhere/new.glb")


def full_disk(*_):
    raise OSError(28, "No space left on device")


def test_a_failed_write_keeps_the_old_file(opened, monkeypatch):
    opened.read("arm.arc.glb")
    before = (opened.root / "arm.arc.glb").read_bytes()
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(BadFile, match="No space left"):
        opened.write(full_scene(), "arm.arc.glb")
    assert (opened.root / "arm.arc.glb").read_bytes() == before
    assert not list(opened.root.glob(".arm*"))


def test_errors_of_files_do_not_name_the_folder(opened, monkeypatch):
    opened.root.joinpath("bad.glb").write_bytes(b"glTF" + bytes(40))
    with pytest.raises(BadFile, match=r"^bad\.glb: "):
        opened.read("bad.glb")
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(BadFile, match=r"^mine\.arc\.glb: cannot be written.*elsewhere"):
        opened.write(arm_scene(), "mine.arc.glb")


def test_files_elsewhere_have_no_name(opened):
    assert opened.name_of(opened.root / "walks" / "arm.bvh") == "walks/arm.bvh"
    assert opened.name_of(opened.root.parent / "secret.bvh") is None
    assert opened.name_of(opened.root) is None
    assert opened.name_of("bad\0name") is None


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Walk 2.bvh", "Walk 2.bvh"),
        ("../../etc/walk.BVH", "walk.bvh"),
        ("C:\\Users\\x\\walk.glb", "walk.glb"),
        ("a<b>:c.arc.glb", "a_b__c.arc.glb"),
        ("nul.glb", "_nul.glb"),
        ("...bvh", "upload.bvh"),
        ("é" * 300 + ".glb", "é" * 98 + ".glb"),
        ("a\n\0\u202e\ud800.bvh", "a____.bvh"),
    ],
)
def test_names_of_uploads_are_made_safe(given, kept):
    assert sanitized(given) == kept


@pytest.mark.parametrize("name", ["", "walk", "walk.exe", "walk.bvh/..", "x.py", ".htaccess"])
def test_uploads_of_no_known_format_are_refused(name):
    with pytest.raises(BadFile, match="unsupported format"):
        sanitized(name)


async def chunks(*data):
    for each in data:
        yield each


@pytest.fixture
def uploads():
    made = Uploads(max_size=1000)
    yield made
    made.close()
    assert not made.folder.path.exists()


def received(uploads, name, *data):
    return run(uploads.receive(name, chunks(*data)))


def test_an_upload_is_kept_until_it_is_read(uploads):
    message = received(uploads, "x/a.bvh", b"one", b"two")
    assert uploads.path(message).read_bytes() == b"onetwo"
    assert uploads.path(message).name == "a.bvh"
    uploads.delete(message)
    with pytest.raises(BadFile, match="no such upload"):
        uploads.path(message)


def test_too_large_an_upload_leaves_nothing(uploads):
    with pytest.raises(TooLarge, match="too large"):
        received(uploads, "a.bvh", *[b"x" * 300] * 5)
    assert not list(uploads.folder.path.iterdir())


def test_only_so_many_uploads_are_kept(uploads):
    messages = [received(uploads, "a.bvh", b"x") for _ in range(20)]
    assert len(list(uploads.folder.path.iterdir())) == 16
    with pytest.raises(BadFile):
        uploads.path(messages[0])
    assert uploads.path(messages[-1]).is_file()


@pytest.mark.parametrize("message", ["", "..", "../x", "/etc/passwd", "\0"])
def test_unknown_upload_keys_are_refused(uploads, message):
    with pytest.raises(BadFile, match="no such upload"):
        uploads.path(message)


def test_an_upload_folder_that_was_removed_is_made_anew(uploads):
    message = received(uploads, "a.bvh", b"one")
    shutil.rmtree(uploads.folder.path)
    with pytest.raises(BadFile, match="drop the file again"):
        uploads.path(message)
    message = received(uploads, "a.bvh", b"two")
    assert uploads.path(message).read_bytes() == b"two"


def test_a_folder_put_in_the_place_of_one_that_was_removed_is_not_used(uploads):
    before = uploads.folder.path
    before.rename(before.with_suffix(".moved"))
    before.mkdir()
    message = received(uploads, "a.bvh", b"one")
    assert not uploads.path(message).is_relative_to(before)
    assert not list(before.iterdir())
    before.rmdir()
    shutil.rmtree(before.with_suffix(".moved"))


def test_a_download_folder_that_was_removed_is_made_anew():
    downloads = Downloads()
    shutil.rmtree(downloads.folder.path)
    _, path = downloads.new_file("a.glb")
    assert path.parent.is_dir()
    downloads.close()
    assert not path.parent.exists()


def test_an_opened_folder_that_is_gone_is_not_named(opened):
    shutil.rmtree(opened.root)
    with pytest.raises(BadFile, match="the opened folder: cannot be listed") as refused:
        opened.entries()
    assert str(opened.root) not in str(refused.value)
