// A widget's model and a clock as the tests have them, in Node and in a browser.

/** A model of a widget: every change is heard by all its views, also by the one that made it. */
export class Model {
  constructor(traits) {
    this.traits = traits;
    this.listeners = [];
    this.log = []; // what has been set and sent, in order
    this.saves = 0;
  }

  get(name) {
    return this.traits[name];
  }

  set(name, value) {
    this.log.push([name, value]);
    this.receive({ [name]: value });
  }

  /** Take what Python has set, or a view. */
  receive(traits) {
    Object.assign(this.traits, traits);
    for (const name in traits) this.say(`change:${name}`);
  }

  save_changes() {
    this.saves++;
  }

  send(message) {
    this.log.push(["message", message]);
  }

  on(event, act) {
    this.listeners.push([event, act]);
  }

  off(event, act) {
    this.listeners = this.listeners.filter((each) => each[0] !== event || each[1] !== act);
  }

  say(event, content) {
    for (const [name, act] of this.listeners) if (name === event) act(content);
  }

  /** What has been written since the last time. */
  news() {
    return this.log.splice(0);
  }
}

/** A clock that goes on only when it is told to. */
export class Clock {
  timers = [];

  setTimeout(act, delay) {
    return this.timers.push({ act, delay });
  }

  clearTimeout(id) {
    if (this.timers[id - 1]) this.timers[id - 1].act = () => {};
  }

  goOn() {
    for (const { act } of this.timers.splice(0)) act();
  }
}
