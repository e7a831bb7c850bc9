import { decide, readRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'

const permissions = readRules({ allow: ['Bash(git:*)'], deny: ['Read(.env)'] })
const fileSystem = nodeFileSystem({ cwd: process.cwd() })

for (const command of ['git status', 'git status && rm -rf /', 'git show HEAD:.env']) {
  const call = { name: 'Bash', args: { command } }
  const { verdict, what, why } = await decide(call, permissions, fileSystem)
  console.log(`${verdict}: ${what}: ${why}`)
}

// allow: git status: the rule Bash(git:*) allows it
// ask: rm -rf /: no rule allows it; the rule Bash(rm -rf /) would
// deny: read .env: the rule Read(.env) denies it
