declare module 'virtual:parse-worker' {
  /** The script of the worker. */
  const source: string
  export default source
}
