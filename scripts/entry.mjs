/**
 * A rolldown plugin that provides code without a file as the input `entry`.
 *
 * @param {string} code
 */
export function entry(code) {
  return {
    name: 'entry',
    resolveId: (/** @type {string} */ id) => (id === 'entry' ? id : null),
    load: (/** @type {string} */ id) => (id === 'entry' ? code : null),
  }
}
