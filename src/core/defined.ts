/** Builds objects for `exactOptionalPropertyTypes`, where a member is absent instead of `undefined`. */

/** The type T, whose members that may be undefined are optional instead. */
export type Defined<T> = {
  [N in keyof T as undefined extends T[N] ? never : N]: T[N]
} & { [N in keyof T as undefined extends T[N] ? N : never]?: Exclude<T[N], undefined> }

/** @returns the object without its undefined members */
export function defined<T extends object>(values: T): Defined<T> {
  const given: Partial<T> = {}
  for (const name in values) if (values[name] !== undefined) given[name] = values[name]
  return given as unknown as Defined<T> // what the loop has left out is optional there
}
