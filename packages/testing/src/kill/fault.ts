/** Mistakes that can be planted, to see that the judge reports them. */

/** What each planted mistake is. */
export const plantedFaults = {
  'acknowledges-early': 'the journal acknowledges a batch and writes it with the next one',
  'tells-early': 'clients are told of events before they are durable',
  alters: 'the journal keeps another result than the one it acknowledged',
  'loses-class': 'the journal keeps unsafe intents as pure ones',
  unfenced: 'the journal lets a driver write that has lost its thread',
  'wrong-class': 'a tool that must not run twice is declared idempotent',
  'fresh-key': 'an idempotent tool makes up a new key each time',
  'lying-check': 'a reconcilable tool says that nothing has happened, whatever has',
  'acts-early': 'a tool acts while it is asked whether it may',
  'careless-human': 'whoever is asked about a call in doubt says that it did not happen',
  'credulous-human': 'whoever is asked about a call in doubt says that it did happen',
} as const

/** A mistake that can be planted. */
export type PlantedFault = keyof typeof plantedFaults
