/** Programs that tools start. */
export type Processes = object
