/** A page or a panel of the application, as `GET /api/console` describes it. */
export interface FrameDescription {
  name: string
  label: string
  place: 'page' | 'row.side' | 'row.tab' | 'list.above' | 'home'
  /** `null` for pages and for panels of `home`. */
  entity: string | null
  /** The path of its icon, drawn as a line. */
  iconPath: string | null
}
