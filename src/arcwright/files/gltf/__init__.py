"""glTF 2.0: .glb and .gltf files."""

from arcwright.files.gltf.read import read as read
from arcwright.files.gltf.write import write as write
