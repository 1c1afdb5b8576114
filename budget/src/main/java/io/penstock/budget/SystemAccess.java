package io.penstock.budget;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the few places that may ask the system for time, chance or sleep. The build refuses such
 * calls everywhere else, because time and chance are injected.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface SystemAccess {
  /** Why this place needs the system itself. */
  String value();
}
