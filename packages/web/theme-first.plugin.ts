import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const FILE = new URL('src/app/theme-first.js', import.meta.url)

/**
 * Inserts the script that sets the theme before everything else. Vite would turn it into a module,
 * which runs too late.
 */
export function themeFirst(): Plugin {
  return {
    name: 'theme-first',
    apply: 'build',
    buildStart() {
      const source = `{${readFileSync(FILE, 'utf8').replaceAll(/^\/\/.*\n/gm, '')}}`
      this.emitFile({ type: 'asset', name: 'theme-first.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const file = Object.values(bundle).find(
          (each) => each.type === 'asset' && each.names.includes('theme-first.js'),
        )
        if (!file) throw new Error('theme-first.js is not in the bundle.')
        return [{ tag: 'script', attrs: { src: `/${file.fileName}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}
