export const areas: string[];
export function testFiles(): string[];
export function areasOf(file: string): string[];
