import type { World } from '../permission/world.ts'
import type { Script } from './script.ts'

/** What a shell text would run. Nothing is understood yet, so nothing is proved. */
export function analyse(_text: string, _world: World): Script {
  return { commands: [], operations: [], doubts: ['shell text is not understood yet'] }
}
