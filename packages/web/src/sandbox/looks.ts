/** Classes of the pane with the arguments of a call. */
export const CALL_PANE = 'pane flex flex-col max-[1081px]:border-l-0 phone:overflow-visible'
/** Classes of a banner with several lines. */
export const LONG_BANNER = 'items-start wrap-anywhere [&>svg]:mt-[3px]'
/** Classes of a field that grows with its text. */
export const GROWING_INPUT =
  'input block field-sizing-content h-auto max-h-[45vh] min-h-[30px] resize-none py-1 leading-5 phone:min-h-[38px] phone:py-2'
