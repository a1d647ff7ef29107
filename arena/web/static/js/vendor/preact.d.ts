export type Node = unknown;
export interface Ref<T> { current: T }
export function h(type: unknown, props: unknown, ...children: unknown[]): Node;
export function render(tree: Node, parent: Element | DocumentFragment): void;
export function Fragment(props: object): Node;
export class Component<P = {}, S = {}> {
  constructor(props?: P);
  props: P; state: S; base: Element;
  setState(change: Partial<S>, done?: () => void): void;
  render(props: P, state: S): Node;
}
