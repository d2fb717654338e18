import { survivesKills } from './durability.ts'

survivesKills(4)
