/**
 * A figure to reach.
 *
 * @typedef {object} Figure
 * @property {string} group
 * @property {string} name
 * @property {number} value
 * @property {'x' | 's' | 'MB'} unit
 * @property {{ most: number } | { least: number }} goal
 * @property {boolean} ok
 * @property {string} detail what it was made from
 */

/**
 * @param {Omit<Figure, 'ok'>} figure
 * @returns {Figure}
 */
export function figure(figure) {
  const { value, goal } = figure
  return { ...figure, ok: 'most' in goal ? value <= goal.most : value >= goal.least }
}

/** @param {Figure} figure */
export function shown({ value, unit, goal }) {
  const bound = 'most' in goal ? `<= ${goal.most}` : `>= ${number(goal.least)}`
  return { value: `${number(value)} ${unit}`, goal: `${bound} ${unit}` }
}

/**
 * Three digits that count.
 *
 * @param {number} value
 */
export function number(value) {
  if (value >= 100) return value.toFixed(0)
  if (value >= 10) return value.toFixed(1)
  return value >= 1 ? value.toFixed(2) : value.toFixed(3)
}
