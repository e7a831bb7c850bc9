import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const THEME = new URL('src/app/theme-first.js', import.meta.url)
const NAME = 'parser.html'

/**
 * Builds one HTML file with the script and styles inlined, and a content security policy that
 * allows nothing else.
 */
export function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      let script = ''
      let style = ''
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code
        else if (name.endsWith('.css')) style += String(file.source)
        else this.error(`${name} is not in the file.`)
        delete bundle[name]
      }
      const theme = `{${readFileSync(THEME, 'utf8').replaceAll(/^\/\/.*\n/gm, '')}}`
      this.emitFile({ type: 'asset', fileName: NAME, source: page(theme, inTag(script), style) })
    },
  }
}

/** Escapes `</script` and `<!--`, which would end the script tag or open an HTML comment. */
function inTag(script: string): string {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
}

function page(theme: string, script: string, style: string): string {
  const nonce = randomBytes(16).toString('base64')
  const hashes = [theme, script].map(
    (each) => `'sha256-${createHash('sha256').update(each).digest('base64')}'`,
  )
  const policy = [
    "default-src 'none'",
    `script-src ${hashes.join(' ')}`,
    `style-src 'nonce-${nonce}'`,
    'font-src data:',
    'worker-src blob:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types toolglot-parser',
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="nonce" content="${nonce}">
<title>Parser · Toolglot</title>
<script>${theme}</script>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<div id="root"></div>
<script>${script}</script>
</body>
</html>
`
}
