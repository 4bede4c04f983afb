/** What uncovers the page again, for each sheet that covers it; the last one is on top. */
export const covers: (() => void)[] = []
