// Choosing a move by picking its parts. Knows nothing of any game: it only compares picks with the legal moves.

/** @typedef {import("./position.js").Move} Move */
/** @typedef {{fields: string[], value: any}} Pick */

/**
 * Return how many picks a move contains if it contains all of them, and -1 if it does not.
 * @param {Move} move @param {Pick[]} picks
 */
function count(move, picks) {
  /** @type {Map<string, number>} */
  const used = new Map();
  for (const { fields, value } of picks) {
    const found = fields.find((field) => {
      const held = move[field];
      const times = Array.isArray(held) ? held.filter((item) => item === value).length : held === value ? 1 : 0;
      return times > (used.get(`${field}/${value}`) ?? 0);
    });
    if (!found) return -1;
    used.set(`${found}/${value}`, (used.get(`${found}/${value}`) ?? 0) + 1);
  }
  return picks.length;
}

/** How many parts a move has, its type aside. @param {Move} move */
const size = ({ type, ...parts }) =>
  Object.values(parts).reduce((sum, part) => sum + (Array.isArray(part) ? part.length : part === null ? 0 : 1), 0);

/**
 * Return the moves that contain every pick.
 * @param {[Move, string][]} legal @param {Pick[]} picks
 */
export const possible = (legal, picks) => legal.filter(([move]) => count(move, picks) >= 0);

/**
 * Return the only move that consists of these picks, or null.
 * @param {[Move, string][]} legal @param {Pick[]} picks
 */
export function complete(legal, picks) {
  if (!picks.length) return null;
  const exact = legal.filter(([move]) => count(move, picks) === size(move));
  return exact.length === 1 ? exact[0] : null;
}

/**
 * Return the move that a person seems to want with one more pick, made after the pattern of other moves, or null. It is
 * not legal; the arena is asked why.
 * @param {Move[]} patterns @param {Pick[]} picks @param {Pick} wanted @returns {Move | null}
 */
export function attempt(patterns, picks, wanted) {
  for (const pattern of patterns) {
    const field = wanted.fields.find((name) => name in pattern);
    if (!field) continue;
    const picked = picks.filter((pick) => pick.fields.includes(field)).map(({ value }) => value);
    return { ...pattern, [field]: Array.isArray(pattern[field]) ? [...picked, wanted.value] : wanted.value };
  }
  return null;
}
