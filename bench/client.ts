/** A plain caller for everything that is not measured as load. */
export interface Answer {
  status: number
  text: string
}

export type Send = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>

export function callerOf(url: string, headers: Record<string, string> = {}): Send {
  return async (method, path, body, more = {}) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...type, ...more },
      ...json,
    })
    return { status: response.status, text: await response.text() }
  }
}

/** @throws Error unless the answer has the expected status */
export async function expectJson<T>(answer: Promise<Answer>, status: number): Promise<T> {
  const { status: got, text } = await answer
  if (got !== status) throw new Error(`${got} instead of ${status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as T // the bench asks routes whose replies it knows
}

/** Runs `work` for every item, at most `width` at a time; the results keep the order of the items. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
