/** Disks that lose power: a simulated one for journals of files, and a proof of flushing for traced programs. */
export { type DiskAction, type DiskFault, type DiskOperation, type FaultyDisk, type FaultyDiskOptions, faultyDisk } from './faulty-disk.ts'
export { type FlushProofReport, flushProof } from './flush-proof.ts'
export type { PowerFailure } from './power-failure.ts'
