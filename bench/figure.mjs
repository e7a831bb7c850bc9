/**
 * A measurement, with a goal if there is one.
 *
 * @typedef {object} Figure
 * @property {string} group
 * @property {string} name
 * @property {number} value
 * @property {'x' | 's' | 'ms' | 'KB' | 'MB' | 'MB/s' | '/s'} unit
 * @property {{ most: number } | { least: number }} [goal]
 * @property {true} [atLeast] the real value is larger than this
 * @property {'ok' | 'MISSED' | 'open' | 'only'} verdict open: not measured long enough to decide; only: there is no goal
 * @property {string} detail the values it was computed from
 */

/**
 * @param {Omit<Figure, 'verdict'>} figure
 * @returns {Figure}
 */
export function figure(figure) {
  const { value, goal, atLeast } = figure
  if (!goal) return { ...figure, verdict: 'only' }
  const reached = 'most' in goal ? value <= goal.most : value >= goal.least
  return { ...figure, verdict: reached ? 'ok' : atLeast ? 'open' : 'MISSED' }
}

/** @param {Figure} figure */
export function shown({ value, unit, goal, atLeast }) {
  const bound = !goal ? '' : 'most' in goal ? `<= ${goal.most}` : `>= ${number(goal.least)}`
  return {
    value: `${atLeast ? '> ' : ''}${number(value)} ${unit}`,
    goal: bound && `${bound} ${unit}`,
  }
}

/**
 * Rounds to three significant digits.
 *
 * @param {number} value
 */
export function number(value) {
  if (value >= 100) return value.toFixed(0)
  if (value >= 10) return value.toFixed(1)
  return value >= 1 ? value.toFixed(2) : value.toFixed(3)
}
