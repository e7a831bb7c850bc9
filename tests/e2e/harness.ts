import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import {
  type ServeProcess,
  serveProcess,
  type ServeProcessOptions,
} from '../../packages/cli/test/serve-process.ts'
import { chromiumPath } from './chromium.ts'
import { type Script, scriptedModel, type ScriptedModel } from './scripted-model.ts'

let launched: Promise<Browser> | undefined

/** A real browser, shared by all tests of a process and closed with it. */
export function browser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: chromiumPath,
    // Playwright's default arguments would disable protections between pages.
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    headless: true,
  })
  return launched
}

/** Options for opening a page. */
export interface PageOptions extends ServeProcessOptions {
  /** The replies of the model. */
  readonly script?: Script
  /** The name of the model, which implies its protocol. */
  readonly modelName?: string
  readonly browser?: BrowserContextOptions
}

/** The page, its server, and the scripted model behind it. */
export interface OpenPage {
  readonly page: Page
  readonly server: ServeProcess
  readonly model: ScriptedModel
  /** Opens another tab or browser that is logged in, with the same checks as the first. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>
  /** Registers problems that a test causes intentionally, which do not fail it. */
  readonly expectProblem: (pattern: RegExp) => void
}

/**
 * Starts the built command with a scripted model, and opens its page, logged in. At the end of the
 * test, the page must not have logged errors, violated its policy, or sent requests to other
 * servers.
 */
export async function openPage({
  script = () => 'Done.',
  modelName,
  browser: contextOptions,
  ...options
}: PageOptions = {}): Promise<OpenPage> {
  const model = await scriptedModel(script)
  const server = await serveProcess({ model: model.reference(modelName), ...options })
  const problems: string[] = []
  const expected: RegExp[] = []
  const contexts: BrowserContext[] = []
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await report(contexts)
    await Promise.all(contexts.map((context) => context.close()))
    expect(problems.filter((problem) => !expected.some((each) => each.test(problem)))).toEqual([])
  })

  const open: OpenPage['open'] = async (more = {}) => {
    const context = await (
      await browser()
    ).newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...contextOptions,
      ...more,
    })
    contexts.push(context)
    watch(context, server.url, problems)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    // Leaving the page before the login has completed would waste the link.
    const login = page.waitForResponse((response) => response.url() === `${server.url}/api/login`)
    await page.goto(await freshLink(server))
    await login
    await page.waitForFunction(() => document.querySelector('#root > *') !== null)
    return page
  }
  return {
    page: await open(),
    server,
    model,
    open,
    expectProblem: (pattern) => void expected.push(pattern),
  }
}

/** Prints the visible text of the pages of a failed test. */
async function report(contexts: readonly BrowserContext[]): Promise<void> {
  for (const page of contexts.flatMap((context) => context.pages()))
    console.log(`${page.url()}\n${await page.locator('body').ariaSnapshot()}`)
}

const used = new WeakMap<ServeProcess, string>()

/** A link for one login. The first is the one printed by the server. */
async function freshLink(server: ServeProcess): Promise<string> {
  const printed = server.link()
  if (used.get(server) !== printed) {
    used.set(server, printed)
    return printed
  }
  return (await server.command('token', '--link')).trim()
}

/** Collects problems in a page, and every request to another server. */
function watch(context: BrowserContext, origin: string, problems: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(`thrown: ${error.error().stack}`))
  context.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  // A page opened by another page: pages opened by tests have no opener.
  context.on('page', (page) => {
    page.on('popup', (popup) => problems.push(`a window: ${popup.url()}`))
  })
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:'))
      problems.push(`a request to ${url}`)
  })
}
