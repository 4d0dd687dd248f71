"""Files that name files reach nothing outside their own folder."""

import json
import os

import pytest

from arcwright.errors import BadFile
from arcwright.files import read, write
from arcwright.files.referenced_files import IMAGES, UnreadableReference, read_referenced
from arcwright.files.regular import read_regular
from gltf_builders import PNG, Gltf

SECRET = b"the canary sings"
PRIVATE = PNG + SECRET
OUTSIDE = (
    *("../private.png", "ok/../../private.png", "%2e%2e/private.png", "..\\private.png"),
    *(".hidden.png", ".hidden/a.png", "ok/../.hidden/a.png", "out.png", "folder/a.png"),
    *("pipe.png", "ok.png", "loop.png", "no/such.png", "", ".", "..", "ok", "x\0.png"),
    *("C:/private.png", "C:private.png", "//host/share/a.png", "\\\\host\\share\\a.png"),
    *("file:///private.png", "http://example.org/a.png", "notes.txt", "link-to-notes.png"),
)
needs_links = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and links")


@pytest.fixture
def folder(tmp_path):
    """A folder with one picture, and private pictures around it, in it and behind links."""
    here = tmp_path / "inside"
    (here / "ok").mkdir(parents=True)
    (here / "ok" / "a.png").write_bytes(PNG + b"public")
    for private in ("../private.png", ".hidden.png", ".hidden/a.png", "notes.txt"):
        (here / private).parent.mkdir(exist_ok=True)
        (here / private).write_bytes(PRIVATE)
    if hasattr(os, "mkfifo"):
        (here / "out.png").symlink_to(tmp_path / "private.png")
        (here / "folder").symlink_to(here / ".hidden")
        (here / "loop.png").symlink_to(here / "loop.png")
        (here / "link-to-notes.png").symlink_to(here / "notes.txt")
        (here / "ok.png").symlink_to("/dev/zero")
        (here / "again.png").symlink_to(here / "ok" / "a.png")
        os.mkfifo(here / "pipe.png")
    return here


@needs_links
@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_that_leads_elsewhere_is_refused(folder, name):
    absolute = str(folder.parent / "private.png")
    for each in (name, absolute):
        with pytest.raises(UnreadableReference) as caught:
            read_referenced(folder / "doc.obj", each, IMAGES, 1000)
        assert str(folder.parent) not in str(caught.value).replace(absolute, "")


@needs_links
def test_files_outside_the_folder_look_like_missing_ones(folder):
    def document(name):
        with pytest.raises(UnreadableReference) as caught:
            read_referenced(folder / "doc.obj", name, IMAGES, 1000)
        return str(caught.value).replace(repr(name), "NAME")

    there, gone = "../private.png", "../gone.png"
    hidden, no_hidden = ".hidden/a.png", ".hidden/b.png"
    assert len({document(name) for name in (there, gone, hidden, no_hidden, "pipe.png")}) == 1


@needs_links
@pytest.mark.parametrize("name", ["ok/a.png", "ok/../ok/a.png", "./ok/a.png", "again.png"])
def test_a_name_inside_the_folder_is_read(folder, name):
    assert read_referenced(folder / "doc.obj", name, IMAGES, 1000) == PNG + b"public"


def test_a_file_over_the_limit_is_refused_and_one_at_the_limit_is_not(folder):
    name, size = "ok/a.png", len(PNG + b"public")
    assert len(read_referenced(folder / "doc.obj", name, IMAGES, size)) == size
    with pytest.raises(UnreadableReference, match="larger"):
        read_referenced(folder / "doc.obj", name, IMAGES, size - 1)


@needs_links
@pytest.mark.parametrize("suffix", [".bvh", ".obj", ".gltf", ".glb", ".arc.glb"])
def test_a_document_that_is_no_regular_file_is_refused_in_one_line(tmp_path, suffix):
    os.mkfifo(tmp_path / f"pipe{suffix}")
    (tmp_path / f"zero{suffix}").symlink_to("/dev/zero")
    (tmp_path / f"folder{suffix}").mkdir()
    for name in ("pipe", "zero", "folder"):
        with pytest.raises(BadFile, match="not a regular file|directory"):
            read(tmp_path / f"{name}{suffix}")


@needs_links
def test_a_file_whose_size_the_system_does_not_tell_is_read_up_to_the_limit():
    from pathlib import Path

    path = Path("/proc/self/cmdline")  # its size is reported as 0
    if not path.exists():
        pytest.skip("needs /proc")
    assert read_regular(path, 100_000)
    with pytest.raises(BadFile, match="larger"):
        read_regular(path, 3)


def written(scene, folder):
    """The bytes of everything that a scene is written as."""
    for name in ("out.glb", "out.gltf", "out.arc.glb"):
        write(scene, folder / name)
    return b"".join(path.read_bytes() for path in folder.iterdir())


@needs_links
@pytest.mark.parametrize("name", OUTSIDE)
def test_an_obj_that_is_its_own_library_gets_no_private_picture(folder, tmp_path, name):
    faces = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n"
    doc = folder / "doc.obj"
    own = f"newmtl a\nmap_Kd {name}\nmap_Kd {tmp_path / 'private.png'}\n"
    (folder / "lib.mtl").write_text(own)
    libraries = f"mtllib doc.obj\nmtllib /dev/zero\nmtllib ../doc.mtl\nmtllib {tmp_path}/x.mtl\n"
    doc.write_text(libraries + "mtllib lib.mtl\n" + own + faces)
    scene = read(doc)
    (tmp_path / "written").mkdir()
    assert SECRET not in written(scene, tmp_path / "written")
    assert not any("No such file" in each for each in scene.source.warnings)


@needs_links
@pytest.mark.parametrize("name", OUTSIDE)
def test_a_gltf_gets_no_private_picture_or_buffer(folder, tmp_path, name):
    doc = {"asset": {"version": "2.0"}, "images": [{"uri": name}], "textures": [{"source": 0}]}
    doc["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    doc["nodes"] = [{"name": "a"}]
    (folder / "doc.gltf").write_text(json.dumps(doc))
    scene = read(folder / "doc.gltf")
    (tmp_path / "written").mkdir()
    assert SECRET not in written(scene, tmp_path / "written")
    doc["buffers"] = [{"byteLength": 4, "uri": name}]
    doc["bufferViews"] = [{"buffer": 0, "byteLength": 4}]
    doc["images"] = [{"bufferView": 0}]
    (folder / "doc.gltf").write_text(json.dumps(doc))
    with pytest.raises(BadFile) as caught:
        read(folder / "doc.gltf")
    assert str(folder) not in caught.value.fault


def test_pictures_in_folders_beside_a_library_are_found(folder):
    (folder / "mats").mkdir()
    (folder / "mats" / "a.mtl").write_text(
        "newmtl a\nmap_Kd ../ok/a.png\nnewmtl b\nmap_Kd C:\\textures\\b.png\n"
    )
    (folder / "mats" / "b.png").write_bytes(PNG)
    faces = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n"
    (folder / "doc.obj").write_text("mtllib mats\\a.mtl\n" + faces)
    images = read(folder / "doc.obj").props[0].look.images
    assert [image.data for image in images] == [PNG + b"public", PNG]


def test_bytes_that_are_not_an_image_are_left_out_and_not_revealed(tmp_path):
    gltf = Gltf(images=[{"uri": "data:image/png;base64,c2VjcmV0"}, {"uri": "a.png"}])
    gltf.root["images"].append({"bufferView": gltf.view(SECRET), "mimeType": "image/png"})
    (tmp_path / "a.png").write_bytes(SECRET)
    gltf.add("nodes", mesh=gltf.triangle())
    scene = gltf.read(tmp_path)
    assert [image.data for image in scene.props[0].look.images] == [b"", b"", b""]
    document = " ".join(scene.source.warnings)
    assert "image 0 is not a PNG, JPEG, WebP or KTX2 picture: left out" in document
    assert "canary" not in document
    assert "secret" not in document


def test_the_address_of_a_lost_picture_is_not_written_back(tmp_path):
    gltf = Gltf(images=[{"uri": ".ssh/key.png"}], textures=[{"source": 0}])
    gltf.add(
        "materials",
        pbrMetallicRoughness={"baseColorTexture": {"index": 0}},
        normalTexture={"index": 0},
    )
    gltf.add("nodes", mesh=gltf.triangle(material=0))
    scene = gltf.read(tmp_path)
    warnings = write(scene, tmp_path / "out.gltf")
    assert warnings == ("picture '.ssh/key.png' is missing: replaced by a white pixel",)
    document = json.loads((tmp_path / "out.gltf").read_text())
    assert "uri" not in document["images"][0]
    assert document["images"][0]["mimeType"] == "image/png"
    assert "normalTexture" not in document["materials"][0]
    assert document["materials"][0]["pbrMetallicRoughness"] == {"baseColorTexture": {"index": 0}}
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "key.png").write_bytes(PRIVATE)
    again = read(tmp_path / "out.gltf").props[0].look.images[0]
    assert SECRET not in again.data
