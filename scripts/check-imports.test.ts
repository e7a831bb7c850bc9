import { expect, test } from 'vitest'
import { problems } from './check-imports.mjs'

const allowed: [path: string, source: string][] = [
  ['packages/core/src/parse.ts', `import { read } from './read/input.ts'`],
  ['packages/core/src/parse.ts', `// import 'node:fs'\nconst text = "import('zod')" + /'/.source`],
  ['packages/core/src/registry.ts', `import * as all from './protocols/index.ts'`],
  ['packages/core/src/parse.test.ts', `import { test } from 'vitest'`],
  ['packages/core/src/parse.test.ts', `import { hermes } from './protocols/hermes.ts'`],
  ['packages/core/src/protocols/hermes.ts', `import { wire } from '../draw.ts'`],
  ['packages/core/src/protocols/hermes.ts', `import type { Protocol } from '../protocol.ts'`],
  ['packages/core/src/protocols/hermes.ts', `import { spaced } from '../print/spaced.ts'`],
  ['packages/core/src/protocols/hermes.ts', `import { tools } from '../prompt/tools.ts'`],
  ['packages/core/src/protocols/hermes.ts', `import { qwen } from './qwen.ts'`],
  ['packages/agent/src/run.ts', `import { parse } from '@toolglot/core'`],
  ['packages/agent/src/run.ts', `import { hermes } from '@toolglot/core/protocols/hermes'`],
  ['packages/tools/src/read.ts', `import { writeFile } from 'node:fs/promises'`],
  ['packages/tools/src/read.test.ts', `import { readFile } from 'node:fs/promises'`],
  ['packages/permissions/src/node/read-file.ts', `import { openSync } from 'node:fs'`],
  ['packages/tools/src/a.test.ts', `import { x } from '../../agent/test/x.ts'`],
  ['packages/server/src/handler.ts', `import { tools } from '@toolglot/tools'`],
  ['packages/server/src/client/a.ts', `import type { RunEvent } from '@toolglot/agent'`],
  ['packages/server/src/client/a.ts', `import type { Endpoint } from '../api/endpoint.ts'`],
  ['packages/server/src/client/a.ts', `import { createParser } from 'eventsource-parser'`],
  ['packages/server/src/client/a.ts', `import { START } from '../anywhere/event-stream.ts'`],
  ['packages/server/src/gateway/a.ts', `import { parse } from '../anywhere/parse-body.ts'`],
  ['packages/ai-sdk/src/index.ts', `import { run } from '@toolglot/agent'`],
  ['packages/permissions/src/node/file-system.ts', `import { sep } from 'node:path'`],
  ['packages/cli/src/main.ts', `import { serve } from '@toolglot/server'`],
  ['packages/cli/src/main.ts', `const command = await import(name)`],
  ['packages/web/src/page.tsx', `import './page.css'\nexport const page = <p>it's</p>`],
]

const refused: [path: string, source: string, reason: string][] = [
  ['packages/core/src/parse.ts', `import { z } from 'zod'`, 'outside core, which imports nothing'],
  ['packages/core/src/parse.ts', `import 'node:fs'`, 'outside core, which imports nothing'],
  ['packages/core/src/parse.ts', `export * from 'zod'`, 'outside core, which imports nothing'],
  ['packages/core/src/parse.ts', `const x = import('zod')`, 'outside core, which imports nothing'],
  ['packages/core/src/parse.ts', `const x = import(name)`, 'outside core, which imports nothing'],
  ['packages/core/src/parse.ts', `let x: import('zod').Z`, 'outside core, which imports nothing'],
  ['packages/core/src/parse.ts', `import data from '../data.json'`, 'not in packages/core/src'],
  ['packages/core/src/parse.ts', `import { read } from './read.js'`, 'must end in .ts'],
  ['packages/core/src/parse.ts', `import { read } from './read'`, 'must end in .ts'],
  ['packages/core/src/parse.ts', `import { read } from '..'`, 'must end in .ts'],
  ['packages/core/src/parse.ts', `import { hermes } from './protocols/hermes.ts'`, 'protocol'],
  ['packages/core/src/read/x.ts', `import { all } from '../protocols/index.ts'`, 'protocol'],
  ['packages/core/src/protocols/hermes.ts', `import { parse } from '../parse.ts'`, 'protocols'],
  ['packages/core/src/protocols/hermes.ts', `import { x } from '../read/x.ts'`, 'protocols'],
  ['packages/core/src/protocols/hermes.ts', `import { z } from 'zod'`, 'imports nothing'],
  [
    'packages/core/src/parse.test.ts',
    `import { run } from '@toolglot/agent'`,
    'points the wrong way',
  ],
  ['packages/agent/src/run.ts', `import { read } from '@toolglot/tools'`, 'points the wrong way'],
  [
    'packages/agent/src/run.ts',
    `import { x } from '../../core/src/index.ts'`,
    'leaves the package',
  ],
  [
    'packages/tools/src/read.ts',
    `import { serve } from '@toolglot/server/node'`,
    'points the wrong way',
  ],
  ['packages/server/src/handler.ts', `import 'toolglot'`, 'points the wrong way'],
  ['packages/server/src/gateway/a.ts', `import 'hono'`, 'outside the gateway'],
  ['packages/server/src/gateway/a.ts', `import 'node:fs'`, 'outside the gateway'],
  ['packages/server/src/gateway/a.ts', `import '@toolglot/workspace'`, 'outside the gateway'],
  ['packages/server/src/gateway/a.ts', `import { app } from '../app.ts'`, 'leaves the gateway'],
  ['packages/server/src/anywhere/a.ts', `import 'node:fs'`, 'runs anywhere has none'],
  [
    'packages/server/src/anywhere/a.ts',
    `import { app } from '../app.ts'`,
    'runs anywhere has none',
  ],
  ['packages/server/src/client/a.ts', `import 'zod'`, 'outside the client'],
  ['packages/server/src/client/a.ts', `import 'node:fs'`, 'outside the client'],
  [
    'packages/server/src/client/a.ts',
    `import { run } from '@toolglot/agent'`,
    'outside the client',
  ],
  ['packages/server/src/client/a.ts', `import { type A } from '../app.ts'`, 'leaves the client'],
  ['packages/react/src/hooks.ts', `import { read } from '@toolglot/tools'`, 'points the wrong way'],
  [
    'packages/ai-sdk/src/index.ts',
    `import { read } from '@toolglot/tools'`,
    'points the wrong way',
  ],
  [
    'packages/permissions/src/decide.ts',
    `import { parse } from '@toolglot/core'`,
    'points the wrong way',
  ],
  ['packages/permissions/src/decide.ts', `import { sep } from 'node:path'`, 'needs Node'],
  [
    'packages/tools/src/read.ts',
    `import { openWorkspace } from '@toolglot/workspace'`,
    'points the wrong way',
  ],
  [
    'packages/tools/src/a.test.ts',
    `import { x } from '../../agent/src/run.ts'`,
    'leaves the package',
  ],
  ['packages/tools/src/a.ts', `import { x } from '../../agent/test/x.ts'`, 'leaves the package'],
  [
    'packages/managers/src/index.ts',
    `import { serve } from '@toolglot/server'`,
    'points the wrong way',
  ],
  ['packages/novel/src/index.ts', ``, 'has no rule'],
  ['packages/tools/src/a.ts', `import { readFile } from 'node:fs/promises'`, 'readTextFile'],
  ['packages/tools/src/a.ts', `import { openSync as o } from 'node:fs'`, 'readTextFile'],
  ['packages/tools/src/a.ts', `import * as fs from 'fs'`, 'readTextFile'],
  ['packages/tools/src/a.ts', `import fs from 'node:fs'`, 'readTextFile'],
  ['packages/tools/src/a.ts', `const fs = await import('node:fs')`, 'readTextFile'],
  ['packages/tools/src/a.ts', `export { readFileSync } from 'node:fs'`, 'readTextFile'],
]

test.each(allowed)('%s may contain %s', (path, source) => {
  expect(problems(path, source)).toEqual([])
})

test.each(refused)('%s may not contain %s', (path, source, reason) => {
  expect(problems(path, source)).toEqual([expect.stringContaining(reason)])
})
