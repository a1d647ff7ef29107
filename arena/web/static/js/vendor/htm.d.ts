import type { Node } from "./preact.js";
declare const htm: { bind(h: Function): (strings: TemplateStringsArray, ...values: unknown[]) => Node };
export default htm;
