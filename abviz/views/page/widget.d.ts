// What anywidget hands to the `render` of a widget.

/** Traits that are the same in the browser and in Python, and messages from there. */
export interface Model<Traits, Message = never> {
  get<Name extends keyof Traits>(name: Name): Traits[Name];
  set<Name extends keyof Traits>(name: Name, value: Traits[Name]): void;
  save_changes(): void;
  send(message: object): void;
  on(events: string, act: (message: Message) => void): void;
  off(events: string, act: (message: Message) => void): void;
  comm_live: boolean;
}

export interface Context<Traits> {
  model: Model<Traits>;
  el: HTMLElement;
}
