import type { Hole } from '../hole.ts'
import { json } from './json.ts'

/** The JSON object of most models: `{"name": …, "arguments": {…}}`. */
export const envelope: Hole = /* @__PURE__ */ json({
  name: 'name',
  args: ['arguments', 'parameters'],
  encoded: true,
})
