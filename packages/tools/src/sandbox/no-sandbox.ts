import { type Sandbox, shellArguments } from './sandbox.ts'

/** No sandbox: a command can do what its user can. */
export function noSandbox(): Sandbox {
  return {
    name: 'none',
    about: 'Nothing holds commands back but permissions: they can do what their user can.',
    async wrap(script, { cwd, env }) {
      const [program, ...args] = shellArguments(script)
      return { program, args, cwd, env, isolated: false, release() {} }
    },
    async close() {},
  }
}
