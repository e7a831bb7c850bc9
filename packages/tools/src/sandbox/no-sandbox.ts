import { type Sandbox, shellArguments } from './sandbox.ts'

/** No sandbox: a command can do whatever its user can. */
export function noSandbox(): Sandbox {
  return {
    name: 'none',
    about: 'Only permissions restrict commands: they can do whatever their user can.',
    async wrap(script, { cwd, env }) {
      const [program, ...args] = shellArguments(script)
      return { program, args, cwd, env, isolated: false, release() {} }
    },
    async close() {},
  }
}
