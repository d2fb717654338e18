/** By outcome and class of error; counted in this process since its start. */
export class AttemptCounter {
  readonly #counts = new Map<string, number>()

  count(outcome: string, errorClass: string | null): void {
    const key = `${outcome}/${errorClass ?? 'none'}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  samples() {
    return [...this.#counts].map(([key, value]) => {
      const [outcome = '', error = ''] = key.split('/')
      return { labels: { outcome, error }, value }
    })
  }
}
