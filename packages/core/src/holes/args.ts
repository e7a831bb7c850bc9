import type { Hole } from '../hole.ts'
import { glanceAtObject } from '../json/fence.ts'
import { readArguments } from '../json/arguments.ts'

/** All arguments, as one JSON object. */
export const args: Hole = {
  starts: () => ['{'],
  read: ({ input, draft }) => readArguments(input, draft),
  glance: glanceAtObject,
  print: ({ call, write }) => write.json(call.args),
}
