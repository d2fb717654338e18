/** What every mail says around what its template says. */
export interface LayoutText {
  linkBelow: string
  sentBy(brand: string): string
}
