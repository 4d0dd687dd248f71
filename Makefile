# Each target does its own set-up from a fresh clone; nothing has to be installed by hand
# beyond Python 3.11+ and make; where Node is missing, page_build.py fetches it as a Python package.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
WORK ?= out/autocomplete
HUMANOID ?= out/humanoid
STAMP := $(VENV)/.ready
NODE_STAMP := tests/gltf_tools/node_modules/.ready
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
# Tests start many Python processes: none has to compile the modules again.
export PYTHONDONTWRITEBYTECODE :=

# Every target named in plain letters is a command, not a file.
.PHONY: $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## show this list
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

$(STAMP): pyproject.toml hatch_build.py $(wildcard src/arcwright/compiled/*.[ch])
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

studio: $(STAMP) page ## the studio in the browser; FILE=... opens a file
	$(VENV)/bin/arcwright studio $(FILE)

page: $(STAMP) ## build the studio's page where its sources changed
	@$(PY) page_build.py

messages: $(STAMP) ## the TypeScript of what server and page say to each other
	$(PY) -m arcwright.server.messages.typescript > studio/src/wire/messages.ts

browser: ## Chromium for the tests of the studio, where it can be installed
	@command -v $${CHROMIUM:-chromium} chromium-browser google-chrome >/dev/null \
	 || { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] \
	      && apt-get update -qq >/dev/null && apt-get install -y -qq chromium >/dev/null; } \
	 || echo "no Chromium: tests of the studio in a browser are skipped (install chromium, or set CHROMIUM)"

demo: $(STAMP) ## draw the built-in characters and their motion curves to out/demo.png
	$(PY) examples/demo.py

test: $(STAMP) node-tools page browser lint-python ## format, lint, types, and the tests that take minutes together
	@$(MAKE) --no-print-directory -j2 lint-page pytest PYTEST_ARGS='-m "not slow"'

test-all: $(STAMP) node-tools page browser lint-python ## the same with slow tests, and properties tried with more cases
	@$(MAKE) --no-print-directory -j2 lint-page pytest PYTEST_ARGS=--hypothesis-profile=all

# Tests of the studio wait for the browser a quarter of the time: on two cores, three workers fill them.
pytest: $(STAMP)
	$(PY) -m pytest -n 3 --dist worksteal $(PYTEST_ARGS)

lint: $(STAMP) ## format check, lint, strict types, the page's own tests
	@$(MAKE) --no-print-directory -j2 lint-python lint-page

lint-python: $(STAMP)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

lint-page: $(STAMP)
	$(PY) page_build.py check

format: $(STAMP) ## format and fix what can be fixed
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .
	@$(PY) page_build.py format

.env-sculpt/.ready: pyproject.toml
	$(PYTHON) -m venv .env-sculpt
	.env-sculpt/bin/python -m pip install --quiet --disable-pip-version-check -e '.[sculpt]'
	@touch $@

characters: .env-sculpt/.ready ## model the built-in characters anew into src/arcwright/characters/assets
	.env-sculpt/bin/python -m arcwright.characters.build

node-tools: ## the glTF validator and three.js, when npm is there; tests that need them skip otherwise
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(NODE_STAMP); \
	 else echo "npm not found: tests against the glTF validator and three.js are skipped (install Node 20+)"; fi

$(NODE_STAMP): tests/gltf_tools/package-lock.json
	cd tests/gltf_tools && npm ci --silent --no-audit --no-fund
	@touch $@

test-numpy1: ## all tests with NumPy 1.26, the oldest that is supported
	test -d .env-numpy1 || $(PYTHON) -m venv .env-numpy1
	.env-numpy1/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' 'numpy==1.26.*'
	.env-numpy1/bin/python -m pytest -n 2 --dist worksteal --hypothesis-profile=all

.env-cluster/.ready: pyproject.toml
	$(PYTHON) -m venv .env-cluster
	.env-cluster/bin/python -m pip install --quiet --disable-pip-version-check -e '.[cluster]' pytest hypothesis
	@touch $@

test-cluster: .env-cluster/.ready ## batches on a Dask cluster on this machine, with its workers, runs and schedulers killed
	.env-cluster/bin/python -m pytest tests/cluster

# What comes of files

outcomes: $(STAMP) ## a table of what comes of every real and damaged file in ../shared/data
	$(PY) benchmarks/outcomes.py

attacks: $(STAMP) ## known attacks: what comes of each, in what time and memory
	$(PY) benchmarks/attacks_files.py
	$(PY) benchmarks/attacks_server.py

fuzz: $(STAMP) ## 50,000 mutilated and hostile files through the readers and writers
	$(PY) benchmarks/fuzz_files.py --cases 50000

crash: $(STAMP) ## kill the studio 100 times; every acknowledged edit must be there, also after a power cut
	$(PY) benchmarks/studio_crash.py --kills 100

corrupt: $(STAMP) ## damage 500 journals in every way; each must open, name its losses, or be listed
	$(PY) benchmarks/journal_corruption.py --cases 500

soak: $(STAMP) ## 10,000 edits of one document: memory and its journal must not grow with them
	$(PY) benchmarks/studio_soak.py --edits 10000

soak-everyday: $(STAMP) page browser ## 500 random everyday actions in a browser: no error, no stale mark, every undo exact
	$(PY) benchmarks/studio_everyday_soak.py --actions 500

hostile: $(STAMP) ## 20,000 hostile requests, messages and files against a running studio
	$(PY) benchmarks/studio_fuzz.py --messages 20000

fit-table: $(STAMP) ## twenty recorded and baked clips as few key poses: count and error
	$(PY) benchmarks/fit_cmu.py

drags: $(STAMP) ## 1,000 random drags in reach, over the built-in characters
	$(PY) benchmarks/tangent_drags.py near --cases 1000

drags-far: $(STAMP) ## random drags up to 2 m away, against random restarts
	$(PY) benchmarks/tangent_drags.py far --cases 200

drags-real: $(STAMP) ## random drags on real rigs and fitted motion capture
	$(PY) benchmarks/tangent_drags.py real --cases 200

drags-rigs: $(STAMP) ## 2,000 random drags of every kind over real rigs; HALF=1 for the other half of the files
	$(PY) benchmarks/real_rigs.py --cases 2000 --half $(or $(HALF),0)

bench-smooth: $(STAMP) ## whether default drags leave motions as smooth as they were
	$(PY) benchmarks/smooth_edits.py

bench-planted-hips: $(STAMP) ## hips dragged along motion curves over planted toes: heels, knees, what else moves
	$(PY) benchmarks/planted_hips.py $(ARGS)

bench-swing: $(STAMP) ## how far dragged hands and feet swing beyond the keys around; HALF=1 for the other half
	$(PY) benchmarks/counter_swing.py --half $(or $(HALF),0)

bench-jumps: $(STAMP) ## whether released drags over detected footplants make joints jump; HALF=2 for the other half
	$(PY) benchmarks/released_speed.py --half $(or $(HALF),1)

stance-strips: $(STAMP) ## pictures of feet, frame by frame, that stances were marked from, into out/stances; CLIPS names some
	$(PY) benchmarks/stance_strips.py $(CLIPS)

event-strips: $(STAMP) ## pictures of clips that events of hands and pelvis were marked from, into out/events; CLIPS names some
	$(PY) benchmarks/event_strips.py $(CLIPS)

feet-pictures: $(STAMP) ## the feet found on every glTF rig: a table, and pictures to check them by eye, into out/feet.png
	$(PY) benchmarks/feet_pictures.py

bench-events: $(STAMP) ## detected events of hands and pelvis against those marked by hand; HALF=final or all for the clips kept for the final table
	$(PY) benchmarks/event_detection.py --half $(or $(HALF),both)

bench-event-walks: $(STAMP) ## events of hands that are detected in plain walks and runs (false ones), and what detection takes
	$(PY) benchmarks/event_walks.py

bench-event-weights: $(STAMP) ## the weights of the confidence of events, fitted to the marks of development, and clip by clip
	$(PY) benchmarks/event_weights.py

bench-stances: $(STAMP) ## detected stances against those marked by hand; HALF=both for those that were not looked at
	$(PY) benchmarks/stance_detection.py --half $(or $(HALF),seen)

drags-spacetime: $(STAMP) ## random drags of whole motions, with random constraints and options
	$(PY) benchmarks/spacetime_drags.py built-in --cases 200 --jobs 2

trace: $(STAMP) ## how many files one drag move, and one BVH file to a picture, pass through; ARGS=--list names them
	$(PY) benchmarks/trace_calls.py $(ARGS)

budget: $(STAMP) ## what moves of the reference gestures cost, against benchmarks/budgets.toml
	$(PY) benchmarks/budget.py

report: $(STAMP) ## replay the gesture files and write docs/report
	$(PY) benchmarks/report.py
	$(PY) benchmarks/report_spacetime.py

bench-studio: $(STAMP) page browser ## how old the studio's answers are, in the server and in a browser
	$(PY) benchmarks/studio_server.py
	$(PY) benchmarks/studio_latency.py

bench-activity: $(STAMP) ## activities: random targets within reach, in ours and in the published way; CASES of each, SEED, ROWS keeps them
	$(PY) benchmarks/activity_targets.py --cases $(or $(CASES),50) --seed $(or $(SEED),1) $(and $(ROWS),--rows $(ROWS))

bench-activity-reach: $(STAMP) ## activities: the zone of reach, and walks to targets beyond it
	$(PY) benchmarks/activity_reach.py

bench-activity-times: $(STAMP) ## activities: CPU of begin, moves and release, beside the published way
	$(PY) benchmarks/activity_times.py

bench-activity-swaps: $(STAMP) ## activities: ten other pots and cups in the place of those of tea
	$(PY) benchmarks/activity_swaps.py

bench-activity-retargets: $(STAMP) ## activities: hands on what they hold, on other bodies
	$(PY) benchmarks/activity_retargets.py

shots-sizes: $(STAMP) page browser ## the studio at four sizes, dark and light, into out/sizes; nothing too wide or too small
	$(PY) benchmarks/studio_sizes.py $(VIEWS)

report-activity: $(STAMP) ## activities: tables of docs/report/activity.md; ROWS are files of bench-activity, NAMES choose tables
	$(PY) benchmarks/activity_report.py $(NAMES) --rows $(ROWS)

shots-activity: $(STAMP) ## activities: strips of eight edits, before and after, into out/activity
	mkdir -p out/activity
	$(PY) benchmarks/activity_shots.py out/activity $(NAMES)

bench-cycle: $(STAMP) ## motion cycles: synthetic performances with a known loop, and times
	PYTHONPATH=tests/support $(PY) benchmarks/cycle_performances.py

cycle-performances: $(STAMP) ## act the cycles of table 5.1 anew into tests/gestures/cycle/table
	$(PY) benchmarks/cycle_table_performances.py

bench-cycle-table: $(STAMP) ## motion cycles: the acted cycles of table 5.1, replayed and measured
	$(PY) benchmarks/cycle_table.py $(ROWS)

cycle-browser: $(STAMP) page browser ## rows of table 5.1 acted anew in a real browser, in real time
	PYTHONPATH=tests/support $(PY) benchmarks/cycle_browser.py $(ROWS)

bench-cycle-clips: $(STAMP) ## motion cycles: periods of captured clips against measured ones
	$(PY) benchmarks/cycle_clips.py

bench-pose-sequence: $(STAMP) ## points of a body on closed paths: a loop of 40 frames at once, beside 40 poses
	$(PY) benchmarks/pose_sequence.py

bench-cycle-loops: $(STAMP) ## motion cycles: how well loops close, as samples and as clips with few keys
	PYTHONPATH=tests/support $(PY) benchmarks/cycle_loops.py

bench-cycle-recording: $(STAMP) ## performances: what an update and the end of a recording cost
	$(PY) benchmarks/cycle_recording.py

bench-cycle-simulations: $(STAMP) ## motion cycles: loops of simulated cloth and hair, with pictures
	$(PY) benchmarks/cycle_simulations.py

puppet-figures: $(STAMP) ## puppets: blend space, lookup, states, avatar and snowmen, into docs/pictures/puppet
	$(PY) benchmarks/puppet_figures.py
	$(PY) benchmarks/snowman_figures.py

cycle-pictures: $(STAMP) ## motion cycles: acted cycles and their loop, into docs/pictures/cycle
	$(PY) benchmarks/cycle_pictures.py

bench-contact-strokes: $(STAMP) ## loops in place brought to the ground by a stroke: slide, stride, smoothness
	PYTHONPATH=tests/support $(PY) benchmarks/contact_strokes.py

bench-puppet: $(STAMP) ## stick paths of every kind on a puppet; HALF=1 for those that were not looked at
	$(PY) benchmarks/puppet_paths.py --half $(or $(HALF),0) --published

record-stick-paths: $(STAMP) page browser ## stick paths recorded anew in the studio's page, by a scripted mouse and an emulated phone
	$(PY) benchmarks/record_stick_paths.py

bench-puppet-characters: $(STAMP) ## one stick path on built-in and exported characters: do their feet slide
	$(PY) benchmarks/puppet_characters.py

bench-puppet-gestures: $(STAMP) ## gestures of a stick: what is taken for what, and false actions in ordinary leading
	$(PY) benchmarks/puppet_gestures.py --minutes 120

train-autocomplete: $(STAMP) ## models of hops from HOPS=hops.npz, in WORK=out/autocomplete, and the lamp's; DEVICE=cuda SEEDS=3 on a GPU
	$(PY) -m pip install --quiet -e ".[learn]"
	mkdir -p $(WORK)
	$(PY) -m arcwright.tools.autocomplete.train.variations $(or $(HOPS),hops.npz) $(WORK)/examples.npz --each 20
	until $(PY) -m arcwright.tools.autocomplete.train all --hops $(WORK)/examples.npz --work $(WORK) \
	 --device $(or $(DEVICE),cpu) --seeds $(or $(SEEDS),1) $(if $(filter cuda,$(DEVICE)),--parallel --workers 3) --out src/arcwright/tools/autocomplete/models/lamp.npz; \
	 do [ $$? -eq 75 ] || exit 1; done

bench-autocomplete: $(STAMP) ## what train-autocomplete made: held-out hops against splines and the networks of the paper, edits, answers, speed
	$(PY) benchmarks/autocomplete_table.py --hops $(WORK)/examples.npz --work $(WORK)
	$(PY) benchmarks/autocomplete_lamp.py --hops $(WORK)/examples.npz
	$(PY) benchmarks/autocomplete_pictures.py --hops $(WORK)/examples.npz --out $(WORK)

train-humanoid: $(STAMP) ## the model of people from CAPTURES=cmu_30fps.npz, without the clips in TESTS=folder, in HUMANOID=out/humanoid; METHOD=delta or direct for what it is compared with
	mkdir -p $(HUMANOID)
	until $(PY) -m arcwright.tools.autocomplete.train.humanoid --captures $(CAPTURES) $(if $(TESTS),--tests $(TESTS)) \
	 --work $(HUMANOID) $(if $(METHOD),--method $(METHOD) --steps 3500,--out src/arcwright/tools/autocomplete/models/humanoid.npz); \
	 do [ $$? = 75 ] || exit 1; done

bench-humanoid: $(STAMP) ## what train-humanoid made: gaps of held-out subjects against interpolation, nearest examples and learned methods
	$(PY) benchmarks/autocomplete_humanoid.py --captures $(CAPTURES) $(if $(TESTS),--tests $(TESTS)) --work $(HUMANOID)

bench-hops: $(STAMP) ## the hops of HOPS=hops.npz: spread, MuJoCo, yields of both searches; pictures in OUT=hops-pictures
	$(PY) benchmarks/hops_spread.py $(or $(HOPS),hops.npz)
	$(PY) benchmarks/hops_engines.py $(or $(HOPS),hops.npz)
	$(PY) benchmarks/hops_yield.py
	$(PY) benchmarks/hops_figures.py $(or $(HOPS),hops.npz) $(or $(OUT),hops-pictures)

bench-ragdoll: $(STAMP) ## random lifts, drops and throws of limp puppets; HALF=1 for files that were not looked at
	$(PY) benchmarks/ragdoll_soak.py --half $(or $(HALF),0)

bench-ragdoll-engines: $(STAMP) ## a limp biped in MuJoCo and in PyBullet, which gets an environment that is removed again
	$(PY) benchmarks/ragdoll_engines.py mujoco
	$(PYTHON) -m venv .env-engine && .env-engine/bin/python -m pip install --quiet --disable-pip-version-check -e . pybullet \
	 && .env-engine/bin/python benchmarks/ragdoll_engines.py pybullet; rm -rf .env-engine

bench-puppet-soak: $(STAMP) ## ten minutes of random stick motion on every built-in, and twenty bipeds at once
	$(PY) benchmarks/puppet_soak.py

bench-puppet-latency: $(STAMP) page browser ## from a phone's sample to the puppet's pose in its page, through the server
	$(PY) benchmarks/puppet_latency.py

bench-cycle-edits: $(STAMP) ## loops shaped by drags: time of a move, exactness, keys, what else changes
	PYTHONPATH=tests/support $(PY) benchmarks/cycle_edits.py

bench-cycle-edit-trials: $(STAMP) ## random edits of loops: what does not hold after them; LOOPS names files of captured loops
	PYTHONPATH=tests/support $(PY) benchmarks/cycle_edit_trials.py $(LOOPS)

bench-batch: $(STAMP) ## many files: throughput, overhead per task, memory of workers and coordinator
	$(PY) benchmarks/batch_files.py --once 2000

bench-flow: $(STAMP) ## flow curves: shape, contacts, curves against marks, time; ARGS=--pictures draws the report
	PYTHONPATH=tests/support $(PY) benchmarks/flow_figures.py $(ARGS)

bench-cluster: .env-cluster/.ready ## the same on a Dask cluster on this machine, beside local processes
	.env-cluster/bin/python benchmarks/batch_files.py --cluster

bench-engines: ## Dask and Ray side by side, in environments of their own that are removed again
	for engine in distributed ray; do \
	 $(PYTHON) -m venv .env-engine && .env-engine/bin/python -m pip install --quiet --disable-pip-version-check $$engine \
	 && .env-engine/bin/python benchmarks/engine_choice.py $$engine; rm -rf .env-engine; done

bench-crowd: $(STAMP) ## how long moves take with 20 clients, and exports meanwhile
	$(PY) benchmarks/studio_crowd.py --clients 20 --exports png glb bvh

shots: $(STAMP) page browser ## pictures of the studio into docs/pictures/studio and out/shots
	$(PY) benchmarks/studio_shots.py

stages-pictures: $(STAMP) page browser ## from reality to virtuality, stage by stage, into docs/pictures/stages, and their film
	$(PY) benchmarks/stages_pictures.py

flow-film: $(STAMP) ## a moving picture of a shot that is composed, into docs/pictures/films
	PYTHONPATH=tests/support $(PY) benchmarks/flow_film.py

films: $(STAMP) ## moving pictures of the tools, before beside after, into docs/pictures/films
	$(PY) benchmarks/films.py

shots-spacetime: $(STAMP) ## twelve spacetime edits of captures and characters, before and after, into out/spacetime
	$(PY) benchmarks/spacetime_shots.py --films

shots-rigs: $(STAMP) ## ten edits of real characters and captures, before and after, into out/rigs
	$(PY) benchmarks/rig_shots.py

# Side by side with others, each in an environment of its own

.env-pin/.ready:
	$(PYTHON) -m venv .env-pin
	.env-pin/bin/python -m pip install --quiet --disable-pip-version-check pin numpy
	.env-pin/bin/python -m pip install --quiet --disable-pip-version-check -e . --no-deps
	@touch $@

.env-bpy/.ready:
	$(PYTHON) -m venv .env-bpy
	.env-bpy/bin/python -m pip install --quiet --disable-pip-version-check bpy==5.0.1 'numpy<2'
	.env-bpy/bin/python -m pip install --quiet --disable-pip-version-check -e . --no-deps
	@touch $@

.env-bvh/.ready:
	$(PYTHON) -m venv .env-bvh
	.env-bvh/bin/python -m pip install --quiet --disable-pip-version-check -e . pybvh upc-pymotion bvh bvhtoolbox
	@touch $@

.env-gltf/.ready:
	$(PYTHON) -m venv .env-gltf
	.env-gltf/bin/python -m pip install --quiet --disable-pip-version-check -e . pygltflib gltflib
	@touch $@

.env-qp/.ready:
	$(PYTHON) -m venv .env-qp
	.env-qp/bin/python -m pip install --quiet --disable-pip-version-check -e . piqp==0.6.4 clarabel==0.11.1 scipy
	@touch $@

.env-ik/.ready:
	$(PYTHON) -m venv .env-ik
	.env-ik/bin/python -m pip install --quiet --disable-pip-version-check -e . pin-pink==4.4.0 mink==1.3.0 mujoco==4.0.0 qpsolvers==4.13.0 daqp==0.10.3
	@touch $@

peers-bvh: .env-bvh/.ready ## other BVH readers, in .env-bvh
peers-gltf: .env-gltf/.ready ## other glTF readers, in .env-gltf
peers-qp: .env-qp/.ready ## interior-point solvers, in .env-qp
peers-ik: .env-ik/.ready ## Pink and mink, in .env-ik
peers-pin: .env-pin/.ready ## Pinocchio, in .env-pin
peers-bpy: .env-bpy/.ready ## Blender as a Python module, in .env-bpy (Python 3.11)

bench: bench-bvh bench-gltf bench-glb-precision bench-translation-share bench-fk bench-jacobian bench-sampling fit-table bench-tangent bench-posing bench-spacetime bench-timing bench-longer-steps ## all figures

bench-timing: $(STAMP) ## how often timing adapts, air times of edited jumps, and feet that step over and onto boxes
	$(PY) benchmarks/timing_of_walks.py
	$(PY) benchmarks/timing.py

bench-longer-steps: $(STAMP) ## all steps of real walks grown by one drag at the last frame
	$(PY) benchmarks/longer_steps.py

bench-spacetime-captures: $(STAMP) ## three edits of every walk, run, jump, sit and carry: before and after in one table
	$(PY) benchmarks/spacetime_captures.py

bench-spacetime-bends: $(STAMP) ## do knees and elbows bend backwards in random spacetime edits?
	$(PY) benchmarks/spacetime_bends.py --half 2

bench-spacetime: $(STAMP) ## table 1 of the paper, a box that is carried, footplants on real walks
	$(PY) benchmarks/spacetime_table.py --long
	$(PY) benchmarks/spacetime_props.py
	-$(PY) benchmarks/spacetime_walks.py

bench-tangent: peers-qp ## the paper's timing grid: its method done again beside ours
	.env-qp/bin/python benchmarks/tangent_grid.py

bench-posing: peers-ik ## posing against Pink, mink and, where bpy is installed, Blender
	.env-ik/bin/python benchmarks/posing_peers.py
	@if [ -x .env-bpy/bin/python ]; then .env-bpy/bin/python benchmarks/posing_blender.py; fi

bench-bvh: peers-bvh ## reading the largest BVH file against other readers
	.env-bvh/bin/python benchmarks/bvh_readers.py

bench-gltf: peers-gltf node-tools ## glTF: joints against three.js, the validator, other readers
	$(PY) benchmarks/gltf_peers.py
	.env-gltf/bin/python benchmarks/gltf_libraries.py

bench-glb-precision: $(STAMP) node-tools ## how far written .glb files are off edited scenes, here and in three.js
	$(PY) benchmarks/glb_precision.py --three

bench-translation-share: $(STAMP) ## what share of a drag stretched bones make, over every character
	$(PY) benchmarks/translation_share.py

bench-fk: peers-pin peers-bpy ## forward kinematics: error and speed against Pinocchio and Blender
	.env-pin/bin/python benchmarks/fk_peers.py
	.env-bpy/bin/python benchmarks/fk_blender.py
	.env-bpy/bin/python benchmarks/curves_vs_blender.py

bench-rotate: $(STAMP) ## whether a rotation turns that joint alone, in both tools, on all kinds of characters
	$(PY) benchmarks/fk_rotate.py

bench-jacobian: peers-pin ## Jacobians against a loop over Pinocchio
	.env-pin/bin/python benchmarks/jacobian_pinocchio.py

bench-sampling: $(STAMP) ## what sampling and forward kinematics cost
	$(PY) benchmarks/sampling.py

clean: ## forget environments and outputs
	rm -rf $(VENV) .env-* out tests/gltf_tools/node_modules studio/node_modules src/arcwright/server/pages src/arcwright/compiled/libarcwright.*
