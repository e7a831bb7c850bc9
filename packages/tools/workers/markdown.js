// A worker thread that converts one page to Markdown. It is plain JavaScript, so that it runs both from source and when
// built. The page is untrusted: the thread must not reach the network, since only the page's own address was allowed.
import { parentPort, workerData } from 'node:worker_threads'
import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'
// @ts-expect-error It has no types.
import Turndown from 'turndown'

/** @type {{ html: string, url: string, whole: boolean }} */
const { html, url, whole } = workerData

Reflect.deleteProperty(globalThis, 'fetch')
parentPort?.postMessage(whole ? wholePage() : await mainPart())

/** The main content, without navigation and similar parts. */
async function mainPart() {
  const { document } = parseHTML(html)
  // defuddle requires these properties; linkedom lacks them.
  Object.assign(document, { styleSheets: [], URL: url })
  const { content, title } = await Defuddle(document, url, {
    markdown: true,
    useAsync: false,
    // Otherwise, short lists would be mistaken for links to related pages.
    removeContentPatterns: false,
    fetch: () => Promise.reject(new Error('Fetching is disabled.')),
  })
  const body = content.trim()
  return body === '' || title === '' || body.startsWith('# ') ? body : `# ${title}\n\n${body}`
}

/** The whole page. */
function wholePage() {
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
  turndown.remove(['head', 'script', 'style', 'noscript', 'template', 'iframe', 'svg', 'img'])
  turndown.addRule('link', {
    filter: 'a',
    replacement: (
      /** @type {string} */ text,
      /** @type {{ getAttribute(name: string): string | null }} */ node,
    ) => {
      const href = node.getAttribute('href') ?? ''
      const target = URL.canParse(href, url) ? new URL(href, url) : undefined
      return target?.protocol.startsWith('http') && text.trim() !== ''
        ? `[${text}](${target.href})`
        : text
    },
  })
  return turndown.turndown(html)
}
