// Folder: Routes outside the HTTP API.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Route, VIEWS } from '../route.ts'
import { HttpError } from '../security/http-error.ts'
import { pagePolicy } from '../security/response-headers.ts'

const HTML = 'text/html; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: HTML,
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/**
 * The routes of the pages' files. The files are read once; a request never determines a file name.
 */
export function pageRoutes(): Route[] {
  const page = readPage()
  return [
    ...VIEWS.map((path) => viewRoute(path, page)),
    fileRoute('/favicon.svg', pageFolder, 'favicon.svg'),
    assetsRoute(),
    fileRoute('/api/docs', staticFolder, 'docs.html'),
    fileRoute('/api/docs.css', staticFolder, 'docs.css'),
    fileRoute('/api/docs.js', staticFolder, 'docs.js'),
  ]
}

const staticFolder = new URL('../../static/', import.meta.url)
/** The output of the build of packages/web. */
const pageFolder = new URL('../../page/', import.meta.url)
/** The placeholder of the nonce in index.html. */
const NO_NONCE = '<meta name="nonce" content="" />'

function readPage(): string {
  const file = new URL('index.html', pageFolder)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  return '<!doctype html><title>Toolglot</title><p>The page has not been built. Run: npm run build'
}

/** The page: the same for every view, with a new nonce each time. */
function viewRoute(path: string, page: string): Route {
  return {
    method: 'GET',
    path,
    access: 'open',
    handle() {
      const nonce = randomBytes(18).toString('base64url')
      const html = page.replace(NO_NONCE, () => `<meta name="nonce" content="${nonce}" />`)
      return new Response(html, {
        headers: { 'content-type': HTML, 'content-security-policy': pagePolicy(nonce) },
      })
    },
  }
}

/**
 * The files that the page loads. Their names contain a hash of their content, so they never change.
 */
function assetsRoute(): Route {
  const files = (assets ??= readAssets())
  return {
    method: 'GET',
    path: '/assets/:file',
    access: 'open',
    handle(request, { parameters: { file = '' } }) {
      const content = files.get(file)
      if (!content || file.endsWith(COMPRESSED))
        throw new HttpError('not_found', 'The page has no such file.')
      const small = takesGzip(request) ? files.get(file + COMPRESSED) : undefined
      const sent = small ?? content
      return new Response(sent, {
        headers: {
          'content-type': typeOf(file),
          'content-length': String(sent.byteLength),
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept-encoding',
          ...(small && { 'content-encoding': 'gzip' }),
        },
      })
    },
  }
}

/** Shared by all servers of a process. */
let assets: ReadonlyMap<string, Buffer<ArrayBuffer>> | undefined

function readAssets(): ReadonlyMap<string, Buffer<ArrayBuffer>> {
  const folder = new URL('assets/', pageFolder)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return new Map(names.map((name) => [name, readFileSync(new URL(name, folder))]))
}

/** The suffix of compressed copies. */
const COMPRESSED = '.gz'

function takesGzip({ headers }: Request): boolean {
  const codings = headers.get('accept-encoding')?.toLowerCase().split(',') ?? []
  return codings.some((each) => /^\s*gzip\s*(;\s*q=(1|0\.0*[1-9]).*)?$/.test(each))
}

function fileRoute(path: string, folder: URL, file: string): Route {
  const place = new URL(file, folder)
  const content = existsSync(place) ? readFileSync(place) : Buffer.alloc(0)
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
  // A browser applies the headers of a 304 to the page, including its policy, which depends on the
  // type.
  const headers = { 'cache-control': 'no-cache', etag, 'content-type': typeOf(file) }
  return {
    method: 'GET',
    path,
    access: 'open',
    handle(request) {
      if (request.headers.get('if-none-match') === etag)
        return new Response(null, { status: 304, headers })
      return new Response(content, {
        headers: { ...headers, 'content-length': String(content.byteLength) },
      })
    },
  }
}

function typeOf(file: string): string {
  return TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}
