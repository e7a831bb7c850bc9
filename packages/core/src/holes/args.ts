import type { Hole } from '../hole.ts'
import { glanceAtObject } from '../json/fence.ts'
import { readArguments } from '../json/arguments.ts'
import { spaced } from '../print/spaced.ts'

/** All arguments, as one JSON object. */
export const args: Hole = {
  starts: () => ['{'],
  read: ({ input, draft }) => readArguments(input, draft),
  glance: glanceAtObject,
  print: ({ call }) => spaced(call.args),
}
