"""Links, sessions, and guests who may only look, in a real browser."""

import pytest

from places import curve_place, done, still

NO_NETWORK = "this machine is on no network"
LISTEN = """() => {
  window.toasts = [];  // every toast, however briefly it is there
  const note = (node) => node.classList?.contains("toast") && window.toasts.push(node.innerText);
  const look = (changes) => changes.forEach((each) => each.addedNodes.forEach(note));
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""


def test_the_token_is_nowhere_in_the_page(studio_of, window_of):
    studio = studio_of()
    window = window_of(studio, alone=True)
    token = studio.address.partition("token=")[2]
    assert window.page.evaluate("location.href") == studio.address.partition("?")[0]
    assert window.page.evaluate("document.cookie") == ""  # scripts cannot read it
    assert window.page.evaluate("document.referrer") == ""
    entries = window.page.evaluate("performance.getEntries().map((each) => each.name)")
    assert not [each for each in entries if token in each]
    (cookie,) = window.page.context.cookies()
    assert cookie["name"] == f"arcwright-{studio.port}"
    assert cookie["value"] != token
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["expires"]) == (True, "Strict", -1)
    window.page.reload(wait_until="commit")
    window.wait("ready")


def test_going_back_does_not_bring_the_token_back(studio_of, window_of):
    window = window_of(studio_of(), alone=True)
    window.page.go_back(wait_until="commit")
    assert window.page.url == "about:blank"


def test_a_link_on_another_site_leads_into_the_studio(studio_of, window_of):
    studio = studio_of()
    window = window_of(studio, alone=True)
    window.page.context.clear_cookies()
    window.page.goto(f'data:text/html,<a href="{studio.address}">the link</a>')
    window.page.get_by_text("the link").click()
    window.page.wait_for_url(studio.address.partition("?")[0])
    window.wait("ready")
    window.page.go_back(wait_until="commit")
    assert window.page.url.startswith("data:")  # no entry with the token in between


def test_two_studios_are_open_in_one_browser(studio_of, own_studio_of, window_of):
    first, second = studio_of(), own_studio_of("lamp:hop")
    window = window_of(first, alone=True)
    with window.page.context.new_page() as other:
        other.goto(second.address, wait_until="commit")
        window.page.reload(wait_until="commit")
        window.wait("ready")


@pytest.fixture
def looking(own_studio_of, window_of):
    """A studio, and the window of a guest who may look."""
    try:
        studio = own_studio_of("biped:walk", "--share", "view")
    except AssertionError:
        pytest.skip(NO_NETWORK)
    host = studio.shared.split("/")[2].rpartition(":")[0]
    return studio, window_of(studio.shared.replace(host, "localhost"), alone=True)


def test_a_guest_who_may_only_view_sees_what_the_owner_does(looking, window_of):
    studio, guest = looking
    owner = window_of(studio)
    guest.page.get_by_text("View only", exact=True).wait_for()
    assert owner.page.get_by_text("View only", exact=True).count() == 0
    still(owner, 0)
    start = curve_place(owner, "RightHand", 20)
    owner.drag(start, [start[0] - 30, start[1] - 60])
    done(owner, 1)
    done(guest, 1)


def test_a_guest_who_may_only_view_gets_one_message_and_changes_nothing(looking):
    _, guest = looking
    still(guest, 0)
    guest.page.evaluate(LISTEN)
    before = guest.ask("camera().yaw")
    start = curve_place(guest, "RightHand", 20)  # selects it
    guest.drag(start, [start[0] - 30, start[1] - 60])
    assert guest.state["interaction"] is None
    assert guest.ask("camera().yaw") != before  # the drag turned the camera
    guest.until(lambda: guest.page.evaluate("window.toasts.length"), "a message")
    guest.keyboard.press("p")
    guest.keyboard.press("Control+s")
    guest.keyboard.press("Control+z")
    guest.keyboard.press("Control+o")
    (said,) = guest.page.evaluate("window.toasts")
    assert said.startswith("View only")
    assert guest.page.locator("dialog").count() == 0
    assert guest.state["done"] == []
    guest.keyboard.press("Space")
    guest.wait("state().playing === true")
