import type { Hole } from '../hole.ts'
import { json } from './json.ts'

/** The object that most models write: `{"name": …, "arguments": {…}}`. */
export const envelope: Hole = /* @__PURE__ */ json({
  name: 'name',
  args: ['arguments', 'parameters'],
  encoded: true,
})
