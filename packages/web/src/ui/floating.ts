/** Classes of a box that floats over the page. */
export const FLOATING =
  'z-30 max-w-[calc(100vw-16px)] overflow-auto rounded-lg bg-panel shadow-float'
