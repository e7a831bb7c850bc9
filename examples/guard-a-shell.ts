import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import { decide, type Decision, readRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'

type Execute = (command: string) => Promise<string>

const cwd = process.cwd()
const permissions = readRules({
  allow: ['Bash(echo:*)', 'Bash(git status:*)'],
  ask: ['Bash(git push:*)'],
  deny: ['Read(.env)'],
})
const fileSystem = nodeFileSystem({ cwd })

/** The shell tool of some agent: it runs whatever the model asks for. */
const execute: Execute = async (command) => (await promisify(exec)(command, { cwd })).stdout.trim()

/** The same tool, but each command is decided on first. The model reads why a command was not run. */
function guarded(run: Execute, approve: (decision: Decision) => Promise<boolean>): Execute {
  return async (command) => {
    const decision = await decide({ name: 'Bash', args: { command } }, permissions, fileSystem)
    const { verdict, what, why, runs = command } = decision
    if (verdict === 'deny') return `Not allowed: ${what}: ${why}.`
    if (verdict === 'ask' && !(await approve(decision))) return 'The user declined this command.'
    return run(runs)
  }
}

const bash = guarded(execute, async ({ parts, runs }) => {
  for (const { verdict, what, why } of parts) console.log(`  ${verdict} ${what}: ${why}`)
  if (runs !== undefined) console.log(`  runs as ${runs}`)
  return false // Here, your agent asks its user.
})

for (const command of ['echo hello', 'git status && git push', 'echo "$(cat .env)"']) {
  console.log(`> ${command}`)
  console.log(await bash(command))
}

// > echo hello
// hello
// > git status && git push
//   allow git status: the rule Bash(git status:*) allows it
//   ask git push: the rule Bash(git push:*) requires approval
// The user declined this command.
// > echo "$(cat .env)"
// Not allowed: read .env: the rule Read(.env) denies it.
