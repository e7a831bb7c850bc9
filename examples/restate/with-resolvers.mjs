// Restate's SDK needs this, and Node 20 does not have it: node --import ./with-resolvers.mjs worker.js
Promise.withResolvers ??= function withResolvers() {
  const parts = {}
  parts.promise = new this((resolve, reject) => Object.assign(parts, { resolve, reject }))
  return parts
}
