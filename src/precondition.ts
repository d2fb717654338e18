/** A condition that a change has to meet: it throws when the row's version is another. `null`: none was set. */
export type Precondition = ((version: number) => void) | null
