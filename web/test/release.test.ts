/** Nothing is left behind when an element leaves the page: no listener, no timer, no subscription. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { IntervalController } from "../src/controllers/interval-controller";
import { KeyController } from "../src/controllers/key-controller";
import { LanguageController } from "../src/controllers/language-controller";
import { ListenerController } from "../src/controllers/listener-controller";
import { Timeout } from "../src/controllers/timeout";
import { loadLanguage } from "../src/i18n/catalogue";
import { DragController } from "../src/seat/betting/drag-controller";
import { TestHost, TestTarget } from "./host";
import { connected } from "./server";

test("a listener is removed with its host, and added again with it", () => {
  const [host, source] = [new TestHost(), new TestTarget()];
  let clicks = 0;
  new ListenerController(host, "click", () => clicks++, source);
  for (const round of [1, 2]) {
    host.connect();
    assert.equal(source.listeners, 1);
    source.dispatchEvent(new Event("click"));
    assert.equal(clicks, round);
    host.disconnect();
    assert.equal(source.listeners, 0);
    source.dispatchEvent(new Event("click"));
    assert.equal(clicks, round);
  }
});

test("keys are passed on while the host is there, and none of a field or a shortcut", () => {
  const [host, source] = [new TestHost(), new TestTarget()];
  const pressed: string[] = [];
  new KeyController(host, "input", ({ key }) => pressed.push(key), source);
  const press = (key: string, values: object = {}, matches = false) => {
    const event = Object.assign(new Event("keydown"), { key, ...values });
    event.composedPath = () => [{ matches: () => matches } as unknown as EventTarget];
    source.dispatchEvent(event);
  };
  host.connect();
  press("z");
  press("x", {}, true);
  press("c", { ctrlKey: true });
  host.disconnect();
  press("v");
  assert.deepEqual(pressed, ["z"]);
  assert.equal(source.listeners, 0);
});

test("an interval ends with its host", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  const host = new TestHost();
  new IntervalController(host, 100);
  host.connect();
  mock.timers.tick(250);
  assert.equal(host.updates, 2);
  host.disconnect();
  mock.timers.tick(1_000);
  assert.equal(host.updates, 2);
  mock.timers.reset();
});

test("a timeout that is restarted runs once, and not at all once it is stopped", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let runs = 0;
  const timeout = new Timeout(100, () => runs++);
  timeout.restart();
  mock.timers.tick(60);
  timeout.restart();
  mock.timers.tick(60);
  assert.equal(runs, 0);
  mock.timers.tick(60);
  assert.equal(runs, 1);
  timeout.restart();
  timeout.stop();
  mock.timers.tick(500);
  assert.equal(runs, 1);
  mock.timers.reset();
});

test("a host that has gone is not rendered in another language", async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  const host = new TestHost();
  new LanguageController(host);
  host.connect();
  await loadLanguage("zh");
  assert.equal(host.updates, 1);
  host.disconnect();
  await loadLanguage("en");
  assert.equal(host.updates, 1);
});

test("a drag that is under way ends with its host", () => {
  const page = new TestTarget();
  Object.assign(globalThis, {
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  });
  const rack = new TestTarget();
  const host = Object.assign(rack, new TestHost(), {
    addController: (controller: DragController) => Object.assign(host, { controller }),
  });
  const drag = new DragController(host as never, () => true, assert.fail);
  drag.hostConnected();
  assert.equal(rack.listeners, 1);
  const chip = { dataset: { chip: "500" } } as unknown as EventTarget;
  const press = Object.assign(new Event("pointerdown"), { button: 0, isPrimary: true, pointerId: 1 });
  press.composedPath = () => [chip];
  rack.dispatchEvent(press);
  assert.equal(page.listeners, 4);
  drag.hostDisconnected();
  assert.deepEqual([rack.listeners, page.listeners], [0, 0]);
});

test("several subscribers hear of the connection, each until it is released", () => {
  const { connection, socket } = connected();
  const heard: string[] = [];
  const release = connection.subscribe(() => heard.push("one"));
  connection.subscribe(() => heard.push("other"));
  socket.onclose!({ code: 1006 });
  assert.deepEqual(heard, ["one", "other"]);
  release();
  connection.reconnect();
  connection.close();
  assert.deepEqual(heard, ["one", "other"]);
});

test("a table is followed until the last watcher has gone", () => {
  const { connection, socket } = connected();
  const releases = [1, 2].map(() => connection.watch("t1", { changed: () => {} }));
  assert.equal(socket.said("Subscribe").length, 1);
  releases[0]!();
  assert.equal(socket.said("Unsubscribe").length, 0);
  releases[1]!();
  assert.equal(socket.said("Unsubscribe").length, 1);
});
