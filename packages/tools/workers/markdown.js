// A thread that turns one page into Markdown. It is plain JavaScript, so that it runs from sources as it does when built;
// what a page makes it do ends with it. It must not reach the network: the page's address was allowed, no other.
import { parentPort, workerData } from 'node:worker_threads'
import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'
// @ts-expect-error It has no types.
import Turndown from 'turndown'

/** @type {{ html: string, url: string, whole: boolean }} */
const { html, url, whole } = workerData

Reflect.deleteProperty(globalThis, 'fetch')
parentPort?.postMessage(whole ? wholePage() : await mainPart())

/** The part that is read, without what stands around it. */
async function mainPart() {
  const { document } = parseHTML(html)
  // Looked for by defuddle, not there in linkedom.
  Object.assign(document, { styleSheets: [], URL: url })
  const { content, title } = await Defuddle(document, url, {
    markdown: true,
    useAsync: false,
    // It takes short lists for what other pages are called.
    removeContentPatterns: false,
    fetch: () => Promise.reject(new Error('Nothing is fetched here.')),
  })
  const body = content.trim()
  return body === '' || title === '' || body.startsWith('# ') ? body : `# ${title}\n\n${body}`
}

/** Everything on the page. */
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
