import { defineConfig } from 'vite'

// The token is only used here: the page sends requests to its own origin, which forwards them to
// the server.
const target = process.env['TOOLGLOT_URL'] ?? 'http://127.0.0.1:4747'
const headers = { authorization: `Bearer ${process.env['TOOLGLOT_TOKEN'] ?? ''}` }

export default defineConfig({
  root: import.meta.dirname,
  server: {
    proxy: {
      '/api': {
        target,
        headers,
        changeOrigin: true,
        configure: (proxy) => proxy.on('proxyReq', (request) => request.removeHeader('origin')),
      },
    },
  },
})
