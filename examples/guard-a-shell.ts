import { execFile } from 'node:child_process'
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

/** The shell tool of some agent. It must run the text in bash: another shell reads it differently. */
const execute: Execute = async (text) =>
  (await promisify(execFile)('bash', ['-c', text], { cwd })).stdout.trim()

/**
 * The same tool, but each command is decided on first. The model is told why a command was not run.
 */
function guarded(run: Execute, approve: (decision: Decision) => Promise<boolean>): Execute {
  return async (command) => {
    const decision = await decide({ name: 'Bash', args: { command } }, permissions, fileSystem)
    const { verdict, what, why, runs } = decision
    // Rules allow the printed text, not the model's.
    if (verdict === 'allow' && runs !== undefined) return run(runs)
    if (verdict === 'deny') return `Not allowed: ${what}: ${why}.`
    if (!(await approve(decision))) return 'The user declined this command.'
    return run(runs ?? command)
  }
}

const bash = guarded(execute, async ({ parts, unprinted }) => {
  for (const { verdict, what, why } of parts) console.log(`  ${verdict} ${what}: ${why}`)
  if (unprinted !== undefined) console.log(`  runs as written: ${unprinted}`)
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
